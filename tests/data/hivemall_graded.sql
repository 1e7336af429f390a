with truth as (
  select
    userid,
    to_ordered_list(relscore, '-reverse') as truth
  from
    dummy_recrel
  group by
    userid
),
rec as (
  select
    userid,
    to_ordered_list(struct(relscore, itemid), score, "-reverse") as rec,
    count(itemid) as max_k
  from
    dummy_recrel
  group by
    userid
)
select 
  -- top-2 recommendation
  ndcg(t1.rec, t2.truth, 2), -- => 0.8128912838590544
  -- top-3 recommendation
  ndcg(t1.rec, t2.truth, 3)  -- => 0.9187707805346093
from
  rec t1
  join truth t2 on (t1.userid = t2.userid)
;
