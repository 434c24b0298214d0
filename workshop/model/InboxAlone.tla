----------------------------- MODULE InboxAlone -----------------------------
(* One idempotency key in an inbox that is the only store: competing consumers of a broker, and one database. The claim of the row tries a
   lock, which the session holds until its transaction ends, and does not wait; there is no lease and no record of work under way.

   Time is left out: delays between attempts are not in the model. "Once" and "Twice" say which faults, failures and acts of operators may
   happen and how often; they come in any order. "Flaws" switches known mistakes on, one configuration each: each of them must be found. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Workers,       \* processes of the consumer
  Flaws,         \* mistakes that are switched on
  Poison,        \* TRUE: the work fails in every attempt
  MostAttempts,  \* failed attempts until EXHAUSTED; 0: no limit
  MostFences,    \* fences stop growing here, so that endless repetition is a loop and not an endless path
  Once, Twice    \* the faults, failures and acts of operators that may happen

VARIABLES
  row,      \* the committed row of idem_record: "none", "work" or "operator"
  att,      \* attempts in a FAILED row of idem_record; 0: no such row
  session,  \* worker -> whether its transaction is open in the database, with the claimed row
  hang,     \* a transaction whose client has lost its connection during the commit; the database ends it later, either way
  w,        \* worker -> where it stands, the attempt and the fence of its row, whether it still holds the message
  queue,    \* copies of the message at the broker
  dead,     \* dead letters
  eff,      \* committed effects
  out,      \* whether the message that the work publishes is durable
  truth,    \* beside the protocol: failures that the database counted, attempts that failed in truth, whether an operator completed the
            \* work, and the greatest fence of any attempt
  left      \* what is left of the budget

vars == <<row, att, session, hang, w, queue, dead, eff, out, truth, left>>

Budgeted == {"again", "fail", "crash", "connection", "session", "unknown", "silent", "reopen", "complete"}
ASSUME Once \cup Twice \subseteq Budgeted
Budget == [f \in Budgeted |-> IF f \in Twice THEN 2 ELSE IF f \in Once THEN 1 ELSE 0]

Flaw(f) == f \in Flaws
Spend(what) == left[what] > 0 /\ left' = [left EXCEPT ![what] = @ - 1]
Idle == [pc |-> "idle", att |-> 0, fen |-> 0, msg |-> FALSE]
NoHang == [on |-> FALSE, att |-> 0]

Init ==
  /\ row = "none" /\ att = 0 /\ session = [i \in Workers |-> FALSE] /\ hang = NoHang
  /\ w = [i \in Workers |-> Idle] /\ queue = 1 /\ dead = 0 /\ eff = 0 /\ out = FALSE
  /\ truth = [counted |-> 0, failed |-> 0, forced |-> FALSE, top |-> 0] /\ left = Budget

Max(a, b) == IF a > b THEN a ELSE b
Locked == hang.on \/ \E i \in Workers : session[i]
Exhausted == MostAttempts # 0 /\ att >= MostAttempts
NewFence == IF Flaw("fence-counted") THEN att + 1 ELSE IF truth.top < MostFences THEN truth.top + 1 ELSE truth.top

Step(i, pc) == w' = [w EXCEPT ![i].pc = pc]
Ends(i) == w' = [w EXCEPT ![i] = Idle]
HandsBack(i) == Ends(i) /\ queue' = queue + (IF w[i].msg THEN 1 ELSE 0)
AtDatabase == UNCHANGED <<row, att, session, hang, eff>>

-----------------------------------------------------------------------------
(* The claim. *)

Delivered(i) ==
  /\ queue > 0 /\ w[i].pc = "idle" /\ queue' = queue - 1
  /\ w' = [w EXCEPT ![i] = [Idle EXCEPT !.pc = "got", !.msg = TRUE]]
  /\ AtDatabase /\ UNCHANGED <<dead, out, truth, left>>

Claims(i) ==
  /\ w[i].pc = "got" /\ row = "none" /\ (~Locked \/ Flaw("claim-without-lock")) /\ (~Exhausted \/ Flaw("failures-ignored"))
  /\ session' = [session EXCEPT ![i] = TRUE]
  /\ w' = [w EXCEPT ![i].pc = "working", ![i].att = att + 1, ![i].fen = NewFence]
  /\ truth' = [truth EXCEPT !.top = Max(@, NewFence)]
  /\ UNCHANGED <<row, att, hang, queue, dead, eff, out, left>>

\* Not claimed: the row answers first, then the failures; else somebody else is at work.
IsFound(i) ==
  /\ w[i].pc = "got" /\ row # "none" /\ Step(i, IF Flaw("outgoing-not-kept") THEN "published" ELSE "done")
  /\ AtDatabase /\ UNCHANGED <<queue, dead, out, truth, left>>

IsRefused(i) ==
  /\ w[i].pc = "got" /\ row = "none" /\ Exhausted /\ ~Flaw("failures-ignored") /\ Step(i, "refused")
  /\ AtDatabase /\ UNCHANGED <<queue, dead, out, truth, left>>

IsOpen(i) ==
  /\ w[i].pc = "got" /\ row = "none" /\ ~Exhausted /\ Locked /\ ~Flaw("claim-without-lock")
  /\ IF Flaw("open-acknowledged") THEN Ends(i) /\ queue' = queue ELSE HandsBack(i)
  /\ AtDatabase /\ UNCHANGED <<dead, out, truth, left>>

-----------------------------------------------------------------------------
(* The work and its commit. *)

Works(i) ==
  /\ w[i].pc = "working" /\ ~Poison /\ Step(i, "worked")
  /\ att' = IF Flaw("forgiven-apart") THEN 0 ELSE att
  /\ UNCHANGED <<row, session, hang, queue, dead, eff, out, truth, left>>

\* It throws, and its transaction is rolled back.
Fails(i) ==
  /\ w[i].pc = "working" /\ (IF Poison THEN left' = left ELSE Spend("fail"))
  /\ session' = [session EXCEPT ![i] = FALSE] /\ Step(i, "threw") /\ truth' = [truth EXCEPT !.failed = Max(@, 1)]
  /\ UNCHANGED <<row, att, hang, queue, dead, eff, out>>

\* What a commit does in the database: the row, the effect, and failures forgiven, together.
Committed(attempt) ==
  /\ row' = "work" /\ eff' = eff + 1 /\ att' = IF attempt > 1 THEN 0 ELSE att

CommitsApart(i) ==
  /\ Flaw("work-apart") /\ w[i].pc = "worked" /\ session[i] /\ eff' = eff + 1 /\ Step(i, "apart")
  /\ UNCHANGED <<row, att, session, hang, queue, dead, out, truth, left>>

WritesRowApart(i) ==
  /\ w[i].pc = "apart" /\ session[i] /\ row' = "work" /\ session' = [session EXCEPT ![i] = FALSE] /\ Step(i, "done")
  /\ UNCHANGED <<att, hang, queue, dead, eff, out, truth, left>>

Commits(i) ==
  /\ ~Flaw("work-apart") /\ w[i].pc = "worked" /\ (session[i] \/ Flaw("dead-session-commits"))
  /\ (row = "none" \/ Flaw("dead-session-commits"))
  /\ Committed(w[i].att) /\ session' = [session EXCEPT ![i] = FALSE] /\ Step(i, "done")
  /\ UNCHANGED <<hang, queue, dead, out, truth, left>>

\* The connection breaks on the commit: it arrives later or never.
CommitUnknown(i) ==
  /\ w[i].pc = "worked" /\ session[i] /\ ~hang.on /\ Spend("unknown")
  /\ session' = [session EXCEPT ![i] = FALSE] /\ hang' = [on |-> TRUE, att |-> w[i].att]
  /\ Step(i, IF Flaw("unknown-as-failed") THEN "threw" ELSE "asking")
  /\ UNCHANGED <<row, att, queue, dead, eff, out, truth>>

HangCommits ==
  /\ hang.on /\ hang' = NoHang
  /\ IF row = "none" THEN Committed(hang.att) ELSE UNCHANGED <<row, eff, att>>
  /\ UNCHANGED <<session, w, queue, dead, out, truth, left>>

HangEnds == hang.on /\ hang' = NoHang /\ UNCHANGED <<row, att, session, w, queue, dead, eff, out, truth, left>>

\* The session is gone: so is the transaction, and the commit says it. Then, as after a commit of unknown outcome, it claims the row again.
CommitFails(i) ==
  /\ w[i].pc = "worked" /\ ~session[i] /\ ~Flaw("dead-session-commits") /\ Step(i, "asking")
  /\ AtDatabase /\ UNCHANGED <<queue, dead, out, truth, left>>

IsTold(i) ==
  /\ w[i].pc = "asking"
  /\ \/ row # "none" /\ Step(i, "done") /\ truth' = truth
     \/ row = "none" /\ ~Locked /\ Step(i, "threw") /\ truth' = [truth EXCEPT !.failed = Max(@, 1)]
  /\ AtDatabase /\ UNCHANGED <<queue, dead, out, left>>

\* Still open after three seconds: nothing is settled, and the redelivery learns it.
GivesUpAsking(i) ==
  /\ w[i].pc = "asking" /\ row = "none" /\ Locked /\ HandsBack(i)
  /\ AtDatabase /\ UNCHANGED <<dead, out, truth, left>>

-----------------------------------------------------------------------------
(* What follows. *)

\* In a transaction of its own, and only where no row is.
CountsFailure(i) ==
  /\ w[i].pc = "threw" /\ HandsBack(i)
  /\ IF row # "none" \/ Flaw("failure-in-work")
     THEN UNCHANGED <<att, truth>>
     ELSE att' = att + 1 /\ truth' = [truth EXCEPT !.counted = @ + 1]
  /\ UNCHANGED <<row, session, hang, dead, eff, out, left>>

\* The database does not answer: the attempt is not counted.
FailureNotCounted(i) ==
  /\ w[i].pc = "threw" /\ Spend("silent") /\ HandsBack(i)
  /\ AtDatabase /\ UNCHANGED <<dead, out, truth>>

Publishes(i) ==
  /\ w[i].pc = "done" /\ Step(i, "published") /\ out' = (out \/ row = "work")
  /\ AtDatabase /\ UNCHANGED <<queue, dead, truth, left>>

Acknowledges(i) == w[i].pc = "published" /\ Ends(i) /\ AtDatabase /\ UNCHANGED <<queue, dead, out, truth, left>>

DeadLetters(i) ==
  /\ w[i].pc = "refused" /\ Ends(i) /\ dead' = dead + 1
  /\ AtDatabase /\ UNCHANGED <<queue, out, truth, left>>

-----------------------------------------------------------------------------
(* Faults, and acts of operators, who see failed work and act on what they saw. *)

SentAgain == Spend("again") /\ queue' = queue + 1 /\ AtDatabase /\ UNCHANGED <<w, dead, out, truth>>

Dies(i) ==
  /\ w[i].pc # "idle" /\ Spend("crash") /\ HandsBack(i) /\ session' = [session EXCEPT ![i] = FALSE]
  /\ UNCHANGED <<row, att, hang, dead, eff, out, truth>>

\* The broker gives the message to another one; the worker goes on.
LosesBroker(i) ==
  /\ w[i].msg /\ Spend("connection") /\ w' = [w EXCEPT ![i].msg = FALSE] /\ queue' = queue + 1
  /\ AtDatabase /\ UNCHANGED <<dead, out, truth>>

\* The database ends the session; the worker goes on and does not know.
LosesSession(i) ==
  /\ session[i] /\ Spend("session") /\ session' = [session EXCEPT ![i] = FALSE]
  /\ UNCHANGED <<row, att, hang, w, queue, dead, eff, out, truth>>

Reopens ==
  /\ Spend("reopen")
  /\ \/ att > 0 /\ row = "none" /\ row' = row
     \/ Flaw("reopened-unseen") /\ row' = "none"
  /\ att' = 0 /\ truth' = [truth EXCEPT !.counted = 0]
  /\ UNCHANGED <<session, hang, w, queue, dead, eff, out>>

Completes ==
  /\ Spend("complete") /\ att > 0 /\ row = "none" /\ ~Locked
  /\ row' = (IF Flaw("completed-without-row") THEN row ELSE "operator") /\ att' = 0
  /\ truth' = [truth EXCEPT !.forced = TRUE, !.counted = 0]
  /\ UNCHANGED <<session, hang, w, queue, dead, eff, out>>

\* Rows are kept until the last duplicate has come. Cleaning is modelled as a flaw only: afterwards there is nothing to show.
Cleans ==
  /\ Flaw("cleaned-too-early") /\ row # "none" /\ row' = "none"
  /\ UNCHANGED <<att, session, hang, w, queue, dead, eff, out, truth, left>>

-----------------------------------------------------------------------------

Protocol(i) ==
  \/ Delivered(i) \/ Claims(i) \/ IsFound(i) \/ IsRefused(i) \/ Works(i) \/ CommitsApart(i) \/ WritesRowApart(i) \/ Commits(i)
  \/ CommitFails(i) \/ IsTold(i) \/ CountsFailure(i) \/ Publishes(i) \/ Acknowledges(i) \/ DeadLetters(i)
  \/ (Poison /\ Fails(i))
Waits(i) == IsOpen(i) \/ GivesUpAsking(i)
Faults(i) == (~Poison /\ Fails(i)) \/ CommitUnknown(i) \/ FailureNotCounted(i) \/ Dies(i) \/ LosesBroker(i) \/ LosesSession(i)
Next ==
  \/ \E i \in Workers : Protocol(i) \/ Waits(i) \/ Faults(i)
  \/ HangCommits \/ HangEnds \/ SentAgain \/ Reopens \/ Completes \/ Cleans

Safety == Init /\ [][Next]_vars
\* Nobody waits for ever for a session that hangs, and a message that waits comes again and again: its claim succeeds at last.
Fair == /\ WF_vars(HangCommits \/ HangEnds)
        /\ \A i \in Workers : WF_vars(Protocol(i) \/ Waits(i)) /\ SF_vars(Claims(i) \/ IsFound(i) \/ IsRefused(i))
Spec == Safety /\ Fair

Interchangeable == Permutations(Workers)

Quiet == queue = 0 /\ ~hang.on /\ \A i \in Workers : w[i].pc = "idle"

(* Effects happen once. *)
AtMostOnce == eff <= 1
(* What was sent ends as an effect, as a dead letter, or by an operator. *)
NoLoss == Quiet => (eff = 1 \/ dead > 0 \/ truth.forced)
(* Whatever took effect is published. *)
OutgoingTruth == (Quiet /\ eff = 1) => (out \/ dead > 0)
(* A duplicate of work under way does not run beside it, as long as the database knows its session. *)
NotBeside == Cardinality({i \in Workers : session[i]}) + (IF hang.on THEN 1 ELSE 0) <= 1
(* No dead letter of work that never failed. *)
DeadTruth == dead > 0 => truth.failed > 0
(* What an operator called done takes no effect afterwards. *)
ForcedStays == truth.forced => eff = 0

Claimed(i) == w[i].pc = "got" /\ w'[i].pc = "working"
(* What is done is not run again. *)
DoneStays == [][\A i \in Workers : Claimed(i) => (eff = 0 /\ ~truth.forced)]_vars
(* The number of an attempt is that of the failures that were counted, and one. *)
AttemptsCount ==
  [][\A i \in Workers : Claimed(i) => (w'[i].att = truth.counted + 1 /\ (MostAttempts # 0 => truth.counted < MostAttempts))]_vars
FencesGrow == [][\A i \in Workers : Claimed(i) => w'[i].fen > truth.top]_vars

(* In the end everything is quiet. *)
Drains == <>[]Quiet

(* To be violated: the end of the story is reached. *)
NeverDone == ~(Quiet /\ eff = 1 /\ out /\ dead = 0)
NeverExhausted == ~(Quiet /\ dead > 0 /\ eff = 0)
NeverForced == ~(Quiet /\ truth.forced)
NeverUnknown == ~(Quiet /\ eff = 1 /\ left["unknown"] = 0)
=============================================================================
