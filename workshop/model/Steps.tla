-------------------------------- MODULE Steps --------------------------------
(* One idempotent work with two steps: calls to a provider that recognises nothing, whose results are remembered. Workers compete for the
   record of the work; it is free whenever no lease is live, so that deliveries need not be modelled.

   Kept = "redis": the steps are beside the record, and what the work does locally is not protected. Kept = "inbox": the steps are in the
   database of the inbox, and a transaction that begins behind the last step has the local effect, the inbox row and the end of the steps.

   Time is left out: a lease may lapse at any moment. An owner's own deadline ends no later than its lease. "Once" and "Twice" say which faults,
   failures and acts of operators may happen and how often; they come in any order. "Flaws" switches known mistakes on, one configuration each:
   each of them must be found. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Workers,        \* processes of the consumer
  Flaws,          \* mistakes that are switched on
  Kept,           \* where steps are kept: "redis" or "inbox"
  First, Second,  \* what follows from an unknown outcome of each step: "rerun", "reconcile" or "reject"
  Once, Twice     \* the faults, failures and acts of operators that may happen

VARIABLES
  rec,    \* the record in Redis; "seen" after an operator's reopen until the next grant
  mem,    \* the remembered steps: their life, what was begun, the results, and the fence of the grant that stored each result
  row,    \* the committed row of the inbox
  top,    \* the greatest fence that has opened or written the steps in the database; 0: none
  txn,    \* who has a transaction open in the database, with the steps locked
  w,      \* worker -> where it stands
  net,    \* a write of a step that is on its way beside those that are waited for
  seq,    \* greatest fence ever granted
  landed, \* step -> how often the provider acted; the result is the number of the call
  eff,    \* committed local effects
  truth,  \* beside the protocol, since the last repetition: calls begun, and begun since a person looked; attempts that left a step in
          \* trouble; the result that was stored first; the results that owners went on with; how often the work was asked for; the
          \* greatest fence of a grant that opened the steps in the database
  left    \* what is left of the budget

vars == <<rec, mem, row, top, txn, w, net, seq, landed, eff, truth, left>>

Budgeted == {"crash", "lapse", "fail", "silent", "late", "lostreply", "unsure", "loss", "lossalone", "expire", "reopen", "repeat", "force"}
ASSUME Once \cup Twice \subseteq Budgeted /\ Kept \in {"redis", "inbox"}
Budget == [f \in Budgeted |-> IF f \in Twice THEN 2 ELSE IF f \in Once THEN 1 ELSE 0]

Inbox == Kept = "inbox"
Steps == {1, 2}
Policy == [s \in Steps |-> IF s = 1 THEN First ELSE Second]
Flaw(f) == f \in Flaws
Spend(what) == left[what] > 0 /\ left' = [left EXCEPT ![what] = @ - 1]
Max(a, b) == IF a > b THEN a ELSE b

None == [s \in Steps |-> 0]
Nothing == [life |-> 0, mark |-> {}, res |-> None, by |-> None]
Absent == [st |-> "ABSENT", own |-> "none", fen |-> 0, live |-> FALSE, seen |-> FALSE]
\* "fen" is the fence of the grant and "own" the one with which it opened the steps in the database. "first": the first attempt of the record,
\* as far as it was told. "look": a person has looked at what was begun. "sure": its own deadline has not passed. "excused": it is not inside a
\* step, or its step is in trouble and counted already.
Idle == [pc |-> "idle", fen |-> 0, own |-> 0, first |-> FALSE, look |-> FALSE, sure |-> FALSE, excused |-> TRUE, at |-> 1, val |-> 0,
         life |-> 0, mark |-> {}, res |-> None]
NoWrite == [on |-> FALSE]

Init ==
  /\ rec = Absent /\ mem = Nothing /\ row = FALSE /\ top = 0 /\ txn = "none" /\ w = [i \in Workers |-> Idle] /\ net = NoWrite
  /\ seq = 0 /\ landed = None /\ eff = 0 /\ left = Budget
  /\ truth = [calls |-> None, since |-> None, trouble |-> None, stored |-> None, used |-> [s \in Steps |-> {}], asked |-> 1, opened |-> 0]

Mine(i) == rec.st = "PENDING" /\ rec.own = i /\ rec.fen = w[i].fen
\* Statements that touch the steps in the database wait for the transaction of another one.
Unlocked(i) == txn \in {"none", i}
Released(i) == IF Mine(i) THEN [rec EXCEPT !.own = "gone"] ELSE rec
AtProvider == UNCHANGED <<landed, eff>>
AtDatabase == UNCHANGED <<row, top, txn>>

\* An attempt that left its step, or whose record went to another one, before the result was stored: the next one may call again.
Troubled(who) ==
  [truth EXCEPT !.trouble = [s \in Steps |-> @[s] + Cardinality({i \in who : ~w[i].excused /\ w[i].at = s})]]
Ends(i) ==
  /\ w' = [w EXCEPT ![i] = Idle] /\ truth' = Troubled({i}) /\ txn' = IF txn = i /\ ~Flaw("transaction-left-open") THEN "none" ELSE txn
Leaves(i) == Ends(i) /\ rec' = Released(i)

-----------------------------------------------------------------------------
(* The grant, and what earlier attempts remembered. *)

Granted(i, heard) ==
  /\ w[i].pc = "idle" /\ (rec.st \in {"ABSENT", "FAILED"} \/ (rec.st = "PENDING" /\ ~rec.live))
  /\ seq' = seq + 1 /\ rec' = [st |-> "PENDING", own |-> i, fen |-> seq + 1, live |-> TRUE, seen |-> FALSE]
  /\ LET fresh == rec.st = "ABSENT"
         \* With Redis the attempt whose number is 1: the first of a record, which finds no steps, or the first after a reopen.
         look == rec.seen \/ (fresh /\ (~Inbox \/ Flaw("first-attempt-trusted")))
         granted == [Idle EXCEPT !.pc = "got", !.fen = seq + 1, !.first = fresh /\ heard, !.look = look, !.sure = TRUE]
     IN w' = [j \in Workers |-> IF j = i THEN granted ELSE [w[j] EXCEPT !.excused = TRUE]]
  /\ truth' = Troubled(Workers \ {i})
  /\ AtProvider /\ AtDatabase /\ UNCHANGED <<mem, net>>

IsGranted(i) == Granted(i, TRUE) /\ left' = left
\* The answer was lost and it asked again: the answer does not tell whether the grant was the first.
IsGrantedUnheard(i) == Spend("lostreply") /\ Granted(i, FALSE)

\* RECALL. The first attempt of a record does not ask.
Recalls(i) ==
  /\ ~Inbox /\ w[i].pc = "got"
  /\ IF w[i].first \/ Mine(i)
     THEN LET found == IF w[i].first THEN Nothing ELSE mem
          IN /\ w' = [w EXCEPT ![i].pc = "work", ![i].life = IF found.life = 0 THEN w[i].fen ELSE found.life,
                               ![i].mark = found.mark, ![i].res = found.res]
             /\ UNCHANGED <<rec, truth, txn>>
     ELSE Leaves(i)
  /\ AtProvider /\ UNCHANGED <<mem, row, top, net, seq, left>>

\* One statement: is the row there, what is remembered; and the fence of the steps becomes that of this grant, unless it is greater.
Opens(i) ==
  /\ Inbox /\ w[i].pc = "got" /\ Unlocked(i)
  /\ IF row /\ ~Flaw("row-not-looked-at")
     THEN w' = [w EXCEPT ![i].pc = "committed"] /\ UNCHANGED <<rec, row, top, txn, truth>>
     ELSE IF w[i].fen < top /\ ~Flaw("stale-opens")
     THEN Leaves(i) /\ UNCHANGED <<row, top>>
     ELSE LET fence == IF Flaw("stale-opens") THEN Max(w[i].fen, top + 1) ELSE w[i].fen
          IN /\ w' = [w EXCEPT ![i].pc = "work", ![i].own = fence, ![i].mark = mem.mark, ![i].res = mem.res]
             /\ top' = fence /\ truth' = [truth EXCEPT !.opened = Max(@, w[i].fen)]
             /\ row' = (row \/ Flaw("row-before-effect")) /\ txn' = IF Flaw("transaction-around") THEN i ELSE txn
             /\ UNCHANGED rec
  /\ AtProvider /\ UNCHANGED <<mem, net, seq, left>>

-----------------------------------------------------------------------------
(* The steps. *)

Here(i) == w[i].pc = "work" /\ w[i].at \in Steps /\ w[i].res[w[i].at] = 0
Asks(i) == Policy[w[i].at] = "reconcile" /\ ~w[i].first
Unknown(i) == Policy[w[i].at] = "reject" /\ w[i].at \in w[i].mark /\ ~w[i].look
IsSure(i) == w[i].sure \/ Flaw("lease-unlooked")
AtStore == UNCHANGED <<rec, mem, row, top, txn, seq>>

\* Goes on with a result.
Passed(worker, r) == [worker EXCEPT !.pc = "work", !.at = @ + 1, !.val = 0, !.excused = TRUE, !.res[worker.at] = r]
Uses(i, r) == IF Mine(i) THEN [truth EXCEPT !.used[w[i].at] = @ \cup {r}] ELSE truth

IsRemembered(i) ==
  /\ w[i].pc = "work" /\ w[i].at \in Steps /\ w[i].res[w[i].at] # 0
  /\ w' = [w EXCEPT ![i] = Passed(@, w[i].res[w[i].at])] /\ truth' = Uses(i, w[i].res[w[i].at])
  /\ AtStore /\ AtProvider /\ UNCHANGED <<net, left>>

Called(i) ==
  /\ w' = [w EXCEPT ![i].pc = "called", ![i].excused = FALSE]
  /\ truth' = [truth EXCEPT !.calls[w[i].at] = @ + 1, !.since[w[i].at] = @ + 1]

Begins(i) ==
  /\ Here(i) /\ IsSure(i) /\ Policy[w[i].at] # "reject" /\ (Asks(i) => landed[w[i].at] = 0) /\ Called(i)
  /\ AtStore /\ AtProvider /\ UNCHANGED <<net, left>>

\* The provider is asked, and knows every call that has landed.
IsFound(i) ==
  /\ Here(i) /\ Asks(i) /\ \E r \in 1..landed[w[i].at] : w' = [w EXCEPT ![i].pc = "storing", ![i].val = r]
  /\ AtStore /\ AtProvider /\ UNCHANGED <<net, left, truth>>

RejectsTheRecord(i) ==
  /\ Ends(i) /\ rec' = IF Mine(i) THEN [rec EXCEPT !.st = "REJECTED", !.own = "none", !.live = FALSE] ELSE rec

\* It is not known yet, a person must decide, or the reconciler throws.
IsUnsure(i) ==
  /\ Here(i) /\ Asks(i) /\ Spend("unsure") /\ (Leaves(i) \/ RejectsTheRecord(i))
  /\ AtProvider /\ UNCHANGED <<mem, row, top, net, seq>>

Rejects(i) ==
  /\ Here(i) /\ Unknown(i) /\ RejectsTheRecord(i)
  /\ AtProvider /\ UNCHANGED <<mem, row, top, net, seq, left>>

IsNotSure(i) ==
  /\ ~IsSure(i) /\ (w[i].pc = "marked" \/ (Here(i) /\ ~Asks(i) /\ ~Unknown(i)) \/ (Here(i) /\ Asks(i) /\ landed[w[i].at] = 0)) /\ Leaves(i)
  /\ AtProvider /\ UNCHANGED <<mem, row, top, net, seq, left>>

\* A write of a step, by the fence of its grant and, in the database, the fence that it opened the steps with.
Write(i) == [on |-> TRUE, fen |-> w[i].fen, own |-> w[i].own, life |-> w[i].life, step |-> w[i].at, res |-> w[i].val]
Marks(i) ==
  /\ Here(i) /\ IsSure(i) /\ Policy[w[i].at] = "reject" /\ ~Unknown(i)
  /\ IF Flaw("mark-not-awaited")
     THEN ~net.on /\ net' = Write(i) /\ Called(i)
     ELSE w' = [w EXCEPT ![i].pc = "marking"] /\ UNCHANGED <<net, truth>>
  /\ AtStore /\ AtProvider /\ UNCHANGED left

BeginsMarked(i) ==
  /\ w[i].pc = "marked" /\ IsSure(i) /\ Called(i)
  /\ AtStore /\ AtProvider /\ UNCHANGED <<net, left>>

Acts(i) ==
  /\ w[i].pc = "called" /\ landed' = [landed EXCEPT ![w[i].at] = @ + 1]
  /\ w' = [w EXCEPT ![i].pc = "acted", ![i].val = landed[w[i].at] + 1]
  /\ AtStore /\ UNCHANGED <<net, eff, left, truth>>

Returns(i) ==
  /\ w[i].pc = "acted"
  /\ IF Flaw("write-not-awaited")
     THEN /\ ~net.on /\ net' = Write(i)
          /\ w' = [w EXCEPT ![i] = Passed(@, w[i].val)] /\ truth' = Uses(i, w[i].val)
     ELSE w' = [w EXCEPT ![i].pc = "storing"] /\ UNCHANGED <<net, truth>>
  /\ AtStore /\ AtProvider /\ UNCHANGED left

\* REMEMBER, in either place. In the database the inbox row ends the steps.
Taken(x) ==
  \/ Flaw("owner-unchecked")
  \/ IF Inbox THEN x.own >= top /\ ~row ELSE rec.st = "PENDING" /\ rec.fen = x.fen
With(x) ==
  LET known == IF Inbox \/ mem.life = x.life \/ Flaw("life-ignored") THEN mem ELSE Nothing
      old == known.res[x.step]
  IN IF x.res = 0
     THEN [known EXCEPT !.life = x.life, !.mark = IF old = 0 THEN @ \cup {x.step} ELSE @]
     ELSE IF old # 0 /\ ~Flaw("last-wins") THEN [known EXCEPT !.life = x.life]
     ELSE [known EXCEPT !.life = x.life, !.res[x.step] = x.res, !.by[x.step] = x.fen]
Stored(x, told) == IF x.res # 0 /\ told.stored[x.step] = 0 THEN [told EXCEPT !.stored[x.step] = x.res] ELSE told
Writes(x) == mem' = With(x) /\ top' = IF Inbox THEN Max(top, x.own) ELSE top

Stores(i) ==
  /\ w[i].pc = "storing" /\ Unlocked(i)
  /\ IF Taken(Write(i))
     THEN Writes(Write(i)) /\ w' = [w EXCEPT ![i] = Passed(@, w[i].val)] /\ truth' = Stored(Write(i), Uses(i, w[i].val)) /\ UNCHANGED <<rec, txn>>
     ELSE /\ UNCHANGED <<mem, top>>
          /\ IF Flaw("lost-caught")
             THEN w' = [w EXCEPT ![i] = Passed(@, w[i].val)] /\ truth' = Troubled({i}) /\ UNCHANGED <<rec, txn>>
             ELSE Leaves(i)
  /\ AtProvider /\ UNCHANGED <<row, net, seq, left>>

StoresMark(i) ==
  /\ w[i].pc = "marking" /\ Unlocked(i)
  /\ IF Taken(Write(i))
     THEN Writes(Write(i)) /\ w' = [w EXCEPT ![i].pc = "marked"] /\ UNCHANGED <<rec, txn, truth>>
     ELSE Leaves(i) /\ UNCHANGED <<mem, top>>
  /\ AtProvider /\ UNCHANGED <<row, net, seq, left>>

\* A copy of a write is on its way and may arrive at any time: the answer to the first try was lost, or its sender dies or gives up.
SendsLate(i) ==
  /\ w[i].pc \in {"storing", "marking"} /\ ~net.on /\ Spend("late") /\ net' = Write(i)
  /\ AtStore /\ AtProvider /\ UNCHANGED <<w, truth>>

Arrives ==
  /\ net.on /\ txn = "none" /\ net' = NoWrite
  /\ IF Taken(net) THEN Writes(net) /\ truth' = Stored(net, truth) ELSE UNCHANGED <<mem, top, truth>>
  /\ AtProvider /\ UNCHANGED <<rec, row, txn, w, seq, left>>

IsDropped == net.on /\ net' = NoWrite /\ AtStore /\ AtProvider /\ UNCHANGED <<w, left, truth>>

\* The store is silent until its own deadline: the attempt is left as unknown.
GivesUp(i) ==
  /\ w[i].pc \in {"storing", "marking"} /\ Spend("silent") /\ Leaves(i)
  /\ AtProvider /\ UNCHANGED <<mem, row, top, net, seq>>

-----------------------------------------------------------------------------
(* The last, local phase and COMPLETE. *)

\* BEGIN: locks the steps, and refuses whose fence is below theirs. If a row is there, that is the answer.
BeginsTransaction(i) ==
  /\ Inbox /\ w[i].pc = "work" /\ w[i].at = 3 /\ Unlocked(i)
  /\ IF row /\ ~Flaw("row-before-effect") THEN w' = [w EXCEPT ![i].pc = "committed"] /\ UNCHANGED <<rec, txn, truth>>
     ELSE IF w[i].own < top /\ ~Flaw("commit-not-fenced") THEN Leaves(i)
     ELSE txn' = i /\ w' = [w EXCEPT ![i].pc = "local"] /\ UNCHANGED <<rec, truth>>
  /\ AtProvider /\ UNCHANGED <<mem, row, top, net, seq, left>>

Commits(i) ==
  /\ w[i].pc = "local" /\ w' = [w EXCEPT ![i].pc = "committed"]
  /\ eff' = eff + 1 /\ row' = TRUE /\ txn' = "none" /\ mem' = Nothing /\ top' = 0
  /\ truth' = [truth EXCEPT !.used = [s \in Steps |-> @[s] \cup {w[i].res[s]}], !.opened = 0]
  /\ UNCHANGED <<rec, net, seq, landed, left>>

\* Without an inbox: whatever the work does behind its steps.
TakesEffect(i) ==
  /\ ~Inbox /\ w[i].pc = "work" /\ w[i].at = 3 /\ eff' = eff + 1 /\ w' = [w EXCEPT ![i].pc = "committed"]
  /\ AtStore /\ UNCHANGED <<net, landed, left, truth>>

\* COMPLETE. In Redis the same script removes the steps.
Completes(i) ==
  /\ w[i].pc = "committed" /\ Ends(i)
  /\ rec' = IF Mine(i) THEN [rec EXCEPT !.st = "COMPLETED", !.own = "none", !.live = FALSE] ELSE rec
  /\ mem' = IF ~Inbox /\ (Mine(i) \/ Flaw("forget-unchecked")) THEN Nothing ELSE mem
  /\ AtProvider /\ UNCHANGED <<row, top, net, seq, left>>

-----------------------------------------------------------------------------
(* Faults, failures, and acts of operators. *)

\* The call or what is behind it throws: a time-out, perhaps after the provider has acted. FAIL.
Fails(i) ==
  /\ w[i].pc \in {"called", "acted", "local"} /\ Spend("fail") /\ Ends(i)
  /\ rec' = IF Mine(i) THEN [rec EXCEPT !.st = "FAILED", !.own = "none", !.live = FALSE] ELSE rec
  /\ AtProvider /\ UNCHANGED <<mem, row, top, net, seq>>

Dies(i) ==
  /\ w[i].pc # "idle" /\ Spend("crash") /\ Leaves(i)
  /\ AtProvider /\ UNCHANGED <<mem, row, top, net, seq>>

Lapses == rec.st = "PENDING" /\ rec.live /\ rec' = [rec EXCEPT !.live = FALSE]
LapsesOfTheDead ==
  /\ rec.own \notin Workers /\ Lapses
  /\ AtProvider /\ AtDatabase /\ UNCHANGED <<mem, w, net, seq, left, truth>>
LapsesOfTheLiving(i) ==
  /\ rec.own = i /\ Lapses /\ Spend("lapse") /\ w' = [w EXCEPT ![i].sure = FALSE]
  /\ AtProvider /\ AtDatabase /\ UNCHANGED <<mem, net, seq, truth>>
Renews(i) ==
  /\ Mine(i) /\ ~rec.live /\ rec' = [rec EXCEPT !.live = TRUE] /\ w' = [w EXCEPT ![i].sure = TRUE]
  /\ AtProvider /\ AtDatabase /\ UNCHANGED <<mem, net, seq, left, truth>>
\* A renewal is answered: the record is gone or somebody else's.
LearnsOfLoss(i) ==
  /\ w[i].sure /\ ~Mine(i) /\ w' = [w EXCEPT ![i].sure = FALSE]
  /\ AtStore /\ AtProvider /\ UNCHANGED <<net, left, truth>>

Anew == [truth EXCEPT !.calls = None, !.since = None, !.trouble = None, !.stored = None, !.used = [s \in Steps |-> {}]]

\* Redis loses everything, or the record alone.
RedisForgets ==
  /\ rec.st # "ABSENT" /\ rec' = Absent
  /\ \/ Spend("loss") /\ mem' = IF Inbox THEN mem ELSE Nothing
     \/ Spend("lossalone") /\ mem' = mem
  /\ truth' = IF Inbox THEN truth ELSE Anew
  /\ AtProvider /\ AtDatabase /\ UNCHANGED <<w, net, seq>>

\* ACQUIRE prolongs the record and not the steps, which may expire before the owner's next write.
StepsExpire ==
  /\ ~Inbox /\ (\E i \in Workers : w[i].pc = "got" /\ Mine(i)) /\ Spend("expire") /\ mem' = Nothing
  /\ AtProvider /\ AtDatabase /\ UNCHANGED <<rec, w, net, seq, truth>>

\* A person has looked at what was rejected, which takes longer than an earlier owner can believe that it has a lease.
Reopens ==
  /\ rec.st = "REJECTED" /\ (\A i \in Workers : ~w[i].sure) /\ Spend("reopen") /\ rec' = [rec EXCEPT !.st = "FAILED", !.seen = TRUE]
  /\ truth' = [truth EXCEPT !.since = None]
  /\ AtProvider /\ AtDatabase /\ UNCHANGED <<mem, w, net, seq>>

\* An operator wants finished work done once more: steps and row go.
Repeats ==
  /\ rec.st = "COMPLETED" /\ txn = "none" /\ Spend("repeat") /\ rec' = [rec EXCEPT !.st = "FAILED", !.seen = TRUE]
  /\ mem' = Nothing /\ row' = FALSE /\ top' = 0 /\ truth' = [Anew EXCEPT !.asked = @ + 1, !.opened = 0]
  /\ AtProvider /\ UNCHANGED <<txn, w, net, seq>>

\* An operator ends an attempt in its owner's place, who does not know.
Forces ==
  /\ rec.st \in {"PENDING", "FAILED"} /\ Spend("force") /\ seq' = seq + 1
  /\ rec' = [rec EXCEPT !.st = "FAILED", !.own = "operator", !.live = FALSE, !.fen = seq + 1]
  /\ AtProvider /\ AtDatabase /\ UNCHANGED <<mem, w, net, truth>>

-----------------------------------------------------------------------------

GoesOn(i) ==
  \/ Recalls(i) \/ Opens(i) \/ IsRemembered(i) \/ Begins(i) \/ IsFound(i) \/ Rejects(i) \/ IsNotSure(i) \/ Marks(i) \/ BeginsMarked(i)
  \/ Acts(i) \/ Returns(i) \/ Stores(i) \/ StoresMark(i) \/ BeginsTransaction(i) \/ Commits(i) \/ TakesEffect(i) \/ Completes(i)
Faults ==
  \/ RedisForgets \/ StepsExpire \/ Reopens \/ Repeats \/ Forces \/ Arrives \/ IsDropped
  \/ \E i \in Workers : \/ IsGrantedUnheard(i) \/ IsUnsure(i) \/ SendsLate(i) \/ GivesUp(i) \/ Fails(i) \/ Dies(i)
                        \/ LapsesOfTheLiving(i) \/ Renews(i) \/ LearnsOfLoss(i)
Next == Faults \/ LapsesOfTheDead \/ \E i \in Workers : IsGranted(i) \/ GoesOn(i)

Safety == Init /\ [][Next]_vars
Fair == WF_vars(LapsesOfTheDead) /\ \A i \in Workers : WF_vars(GoesOn(i)) /\ SF_vars(IsGranted(i))
Spec == Safety /\ Fair

Interchangeable == Permutations(Workers)

-----------------------------------------------------------------------------
(* What must hold. The numbers are those of the design. *)

Begun(i) == w[i].pc # "called" /\ w'[i].pc = "called"
Done == rec.st = "COMPLETED"

\* P1: a step is called once, and once more for each attempt that got into trouble in it.
CallsExcused == \A s \in Steps : truth.calls[s] <= 1 + truth.trouble[s]
\* P2
StoredStays == [][\A i \in Workers : Begun(i) => truth.stored[w[i].at] = 0]_vars
BegunOnce == \A s \in Steps : Policy[s] = "reject" => truth.since[s] <= 1
\* P3
OneResult == \A s \in Steps : Cardinality(truth.used[s]) <= 1
\* P4
BegunBehindStored ==
  [][\A i \in Workers : Begun(i) => \A s \in Steps : s < w[i].at => (w[i].res[s] # 0 /\ truth.stored[s] = w[i].res[s])]_vars
\* P5
OwnerBegins == [][\A i \in Workers : Begun(i) => (Mine(i) /\ rec.live)]_vars
\* P7: a result is added by the owner, or in the database by who is not older than any who opened the steps; it is never changed; and it
\* goes only with the end of the work, with its repetition, or with Redis.
StaleChangesNothing ==
  [][\A s \in Steps : mem'.res[s] # mem.res[s] =>
       IF mem'.res[s] # 0
       THEN /\ (mem.res[s] = 0 \/ mem.life # mem'.life)
            /\ IF Inbox THEN mem'.by[s] >= truth.opened ELSE (rec.st = "PENDING" /\ mem'.by[s] = rec.fen)
       ELSE \/ \E what \in {"repeat", "loss", "expire"} : left'[what] < left[what]
            \/ ~Inbox /\ mem.life # mem'.life /\ mem'.life # 0
            \/ ~Inbox /\ rec.st = "PENDING" /\ rec'.st = "COMPLETED"
            \/ Inbox /\ row' /\ ~row /\ \E i \in Workers : txn = i /\ w[i].fen >= truth.opened]_vars
\* P8
NoCallInTransaction == \A i \in Workers : txn = i => w[i].pc \notin {"called", "acted", "storing"}
AtMostOnce == Inbox => eff <= truth.asked

\* Completed work took effect, and its steps were done.
CompletedTruth == Done => (eff >= 1 /\ \A s \in Steps : landed[s] >= 1)
\* A record is rejected for a step that was marked, or because a reconciler says so.
RejectedTruth == rec.st = "REJECTED" => (mem.mark # {} \/ left["unsure"] < Budget["unsure"])
\* A step that can be looked up lands once, as long as no owner is paused inside it.
LandsOnce == \A s \in Steps : Policy[s] = "reconcile" => landed[s] <= 1
\* Nothing is left of completed work in Redis.
ForgottenWhenDone == (~Inbox /\ Done) => mem = Nothing

\* In the end the work is done, or a person is asked.
Settles == <>[](rec.st \in {"COMPLETED", "REJECTED"} /\ \A i \in Workers : w[i].pc = "idle")

(* To be violated: the end of the story is reached. *)
Quiet == \A i \in Workers : w[i].pc = "idle"
NeverDone == ~(Done /\ Quiet /\ left["crash"] = 0 /\ landed[1] = 1 /\ landed[2] = 1 /\ seq = 2)
NeverLookedUp == ~(Done /\ Quiet /\ truth.calls[1] = 1 /\ truth.trouble[1] = 1)
NeverReopened == ~(Done /\ Quiet /\ left["reopen"] = 0)
NeverRepeated == ~(Done /\ Quiet /\ truth.asked = 2)
=============================================================================
