"""Stand-ins for tensors: they speak the protocols of PyTorch's, which tests/peers has for real."""

import numpy as np


class Tensor:
    """An array behind `__array__` and `detach`, as PyTorch's: one that is being trained has to be detached first."""

    def __init__(self, values, *, requires_grad=False):
        self.values, self.requires_grad = np.array(values), requires_grad

    def __len__(self):
        return len(self.values)

    def __getitem__(self, place):
        return Tensor(self.values[place], requires_grad=self.requires_grad)

    def detach(self):
        return Tensor(self.values)

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return np.array(self.values, dtype=dtype, copy=copy)


class HalfFloats(Tensor):
    """A tensor of a type that NumPy does not have."""

    def detach(self):
        return self

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")
