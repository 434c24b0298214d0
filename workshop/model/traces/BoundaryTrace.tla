--------------------------- MODULE BoundaryTrace ---------------------------
(* Whether Boundary.tla has a behaviour with exactly the steps of a real run.

   "Traces" of TraceData.tla are logs of records, one each, in the order of the store. A worker of the model is an attempt of the log.
   Fences are replaced by their rank among those of the trace. Time is in the log: "due" says that the lease, or the rest after a failure,
   in the record before the step had ended. A trace is accepted if a state with l = Len(events) + 1 is reached. *)
EXTENDS Boundary, TraceData, Sequences

CONSTANT Watched   \* TRUE: effects and acknowledgements are in the log; FALSE: steps of the store alone

VARIABLES
  t,    \* the trace
  l,    \* its next event
  may   \* attempts whose message may be acknowledged

E == Traces[t].events[l]
Me == E.who

\* The budget of faults is no matter here: the log has as many as it has. An attempt has its token for itself, also after its end, and the
\* network may have any number of copies of its acquire.
TraceSpend(what) == left' = left
TraceDisowned(r, who) == r
TraceNamed(i) == i
TraceArrived(i) == side

TraceInit ==
  /\ t \in DOMAIN Traces /\ l = 1 /\ may = {}
  /\ rec = [s \in {"intake", "work"} |-> Absent]
  /\ cli = "told" /\ gw = [g \in Gateways |-> "idle"] /\ w = [i \in Traces[t].who |-> Idle]
  /\ queue = 1000 /\ dead = 0 /\ eff = 0 /\ asked = 1 /\ row = FALSE /\ top = 0 /\ out = FALSE
  /\ ghost = 0 /\ seq = 0 /\ left = [f \in Budgeted |-> 1000]
  /\ side = [kept |-> {}, owed |-> {}, copies |-> Traces[t].who, open |-> 0, older |-> {}, begun |-> FALSE]

\* "any" is asked for by the report of a refusal.
After ==
  \/ E.st = "any"
  \/ E.st = rec'["work"].st /\ (E.st # "ABSENT" => E.fen = rec'["work"].fen /\ E.att = rec'["work"].att)
Still == UNCHANGED vars
OnlyRecord(r) ==
  rec' = [rec EXCEPT !["work"] = r] /\ UNCHANGED <<cli, gw, w, queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

-----------------------------------------------------------------------------
(* Acquires. *)

\* A copy, or one in a token that was kept, which its owner does not notice.
IsOn == w[Me].pc \notin {"idle", "got"}
Copy == IsOn /\ CopyArrives(Me)
\* An attempt in a token that was kept. The log does not tell whether the answer to the acquire before was heard; here it always was.
Afresh ==
  /\ IsOn /\ Free /\ ~Reenters(Me) /\ Grant(Me)
  /\ w' = [w EXCEPT ![Me].pc = "granted", ![Me].fen = NewFence]
  /\ UNCHANGED <<cli, gw, queue, dead, eff, asked, row, top, out, ghost, side, left>>

Grants == IsGranted(Me) \/ (w[Me].pc = "restoring" /\ Restores(Me)) \/ Copy \/ Afresh
\* Whoever wants to restore the record of a lasting effect is told too that it is another's, and a copy is told what nobody hears.
Refuses(refusal) ==
  \/ refusal
  \/ w[Me].pc = "restoring" /\ ~Atrest("work") /\ Restores(Me)
  \/ w[Me].pc \notin {"got", "restoring"} /\ ~Free /\ CopyArrives(Me)
\* The model has no time: the record rests, and whoever asks ends as if it had died.
IsTooEarly ==
  \/ Dies(Me)
  \/ /\ w[Me].pc # "got" /\ w' = (IF w[Me].pc = "restoring" THEN [w EXCEPT ![Me].pc = "settled"] ELSE w)
     /\ UNCHANGED <<rec, cli, gw, queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

Acquires ==
  /\ E.op = "ACQUIRE"
  /\ CASE E.ans = "FRESH" -> Work.st = "ABSENT" /\ Grants /\ may' = may
       [] E.ans = "RETRY" -> Work.st = "FAILED" /\ E.due /\ Grants /\ may' = may
       [] E.ans = "TAKEOVER" -> Work.st = "PENDING" /\ ~Work.live /\ Work.own # Me /\ Grants /\ may' = may
       [] E.ans = "REENTRANT" -> /\ Reenters(Me) /\ may' = may
                                 /\ IF w[Me].pc = "got" THEN IsTold(Me) ELSE CopyArrives(Me)
       [] E.ans = "REPLAY" -> Work.st = "COMPLETED" /\ may' = may \cup {Me} /\ Refuses(IsReplay(Me))
       [] E.ans = "INPROGRESS" -> Held(Me) /\ may' = may /\ Refuses(IsBusy(Me))
       [] E.ans = "REJECTED" -> Work.st = "REJECTED" /\ may' = may /\ Refuses(IsRefused(Me))
       [] E.ans = "EXHAUSTED" -> Exhausted /\ may' = may /\ Refuses(IsRefused(Me))
       [] E.ans = "NOTYET" -> Work.st = "FAILED" /\ ~E.due /\ may' = may /\ IsTooEarly
       [] OTHER -> FALSE

-----------------------------------------------------------------------------
(* Updates. They name a fence: Holds is what an owner check must see. *)

Holds == Work.st = "PENDING" /\ Work.own = Me /\ Work.fen = E.as
EndedBy(st) == Work.st = st /\ Work.fen = E.as

Renewed ==
  CASE E.ans = "OK" -> Holds /\ OnlyRecord([Work EXCEPT !.live = TRUE])
    [] E.ans = "ALREADYSETTLED" -> Work.st \in {"COMPLETED", "FAILED", "REJECTED"} /\ Work.fen = E.as /\ Still
    [] E.ans = "LOST" -> ~Holds /\ Still
    [] OTHER -> FALSE
\* A copy of a COMPLETE that was executed before the record was set back.
CompletedBefore ==
  /\ \E k \in 1..(l - 1) :
       LET e == Traces[t].events[k] IN e.op = "COMPLETE" /\ e.who = Me /\ e.as = E.as /\ e.ans = "OK"
  /\ OnlyRecord(Finished)
Completed ==
  CASE E.ans = "OK" -> IF Holds THEN (Work.fen = w[Me].fen /\ Completes(Me)) \/ CompletedBefore ELSE EndedBy("COMPLETED") /\ Still
    [] E.ans = "LOST" -> ~Holds /\ ~EndedBy("COMPLETED") /\ IF w[Me].pc = "confirmed" THEN Completes(Me) ELSE Still
    [] OTHER -> FALSE
\* A grant is given back that its owner was not told of, and no work began.
GivenBack == w[Me].pc = "granted" /\ ~Runs(Me) /\ OnlyRecord(FailedBy(Me, Work))
Failed ==
  CASE E.ans = "OK" -> IF Holds THEN Work.fen = w[Me].fen /\ (Fails(Me) \/ GivenBack) ELSE EndedBy("FAILED") /\ Still
    [] E.ans = "LOST" -> ~Holds /\ ~EndedBy("FAILED") /\ Still
    [] OTHER -> FALSE
Rejected ==
  CASE E.ans = "OK" -> IF Holds THEN Work.fen = w[Me].fen /\ Rejects(Me) ELSE EndedBy("REJECTED") /\ Still
    [] E.ans = "LOST" -> ~Holds /\ ~EndedBy("REJECTED") /\ IF w[Me].pc = "rejecting" THEN Rejects(Me) ELSE Still
    [] OTHER -> FALSE
Remembers ==
  CASE E.ans \in {"OK", "RECALLED"} -> Holds /\ Still
    [] E.ans = "LOST" -> ~Holds /\ Still
    [] OTHER -> FALSE

Updates ==
  /\ may' = may
  /\ CASE E.op = "RENEW" -> Renewed
       [] E.op = "COMPLETE" -> Completed
       [] E.op = "FAIL" -> Failed
       [] E.op = "REJECT" -> Rejected
       [] E.op \in {"REMEMBER", "RECALL"} -> Remembers
       [] OTHER -> FALSE

-----------------------------------------------------------------------------
(* What is seen elsewhere. *)

TakesEffect == Me # "" /\ E.op = "EFFECT" /\ Commits(Me) /\ may' = may
\* A message ends when its attempt has settled, was told that the work is done, or has made a dead letter of it.
IsAcknowledged ==
  /\ E.op = "ACKNOWLEDGED" /\ may' = may \cup {Me}
  /\ IF Me # "" /\ w[Me].pc = "settled" THEN Acknowledges(Me) ELSE Me \in may /\ Still
IsDead ==
  /\ E.op = "DEAD_LETTER" /\ may' = may \cup {Me}
  /\ IF Me # "" /\ w[Me].pc = "refused" THEN Parks(Me) ELSE dead' = dead + 1 /\ UNCHANGED <<rec, cli, gw, w, queue, eff, asked, row, top, out, ghost, side, seq, left>>
\* The store lost the record, of the loss of everything what concerns one record, or the record is set back.
IsLost ==
  /\ E.op = "FAULT" /\ may' = may
  /\ IF E.st = "ABSENT" THEN RedisForgetsAll
     ELSE IsSetBack /\ rec'["work"].live = (E.st = "PENDING") /\ (E.st = "PENDING" => rec'["work"].own = E.own)

Observed == (Acquires \/ Updates \/ TakesEffect \/ IsAcknowledged \/ IsDead \/ IsLost) /\ After

-----------------------------------------------------------------------------
(* What the log does not show, and must happen before the next event. *)

\* A lease ends when the log's time says so, and not before; a clock that goes back makes it live again.
OutOfDate == E.op \in {"ACQUIRE", "RENEW", "COMPLETE", "FAIL", "REJECT"} /\ Work.st = "PENDING" /\ Work.live = E.due
Dates ==
  IF Work.live THEN LapsesOfTheDead("work") \/ LapsesOfTheLiving("work") ELSE OnlyRecord([Work EXCEPT !.live = TRUE])

\* A replica stops where the record is one to which a later fault goes back.
Stops ==
  /\ [Work EXCEPT !.live = FALSE] \notin side.older
  /\ \E k \in l..Len(Traces[t].events) :
       LET e == Traces[t].events[k]
       IN e.op = "FAULT" /\ e.st # "ABSENT" /\ Work.st = e.st /\ Work.fen = e.fen /\ Work.att = e.att /\ (e.st = "PENDING" => Work.own = e.own)

Hidden ==
  /\ E.who # ""
  /\ \/ E.op = "ACQUIRE" /\ Delivered(Me)
     \/ E.op = "EFFECT" /\ Delivered(Me)
     \/ E.op = "COMPLETE" /\ (FindsRow(Me) \/ IsConfirmed(Me) \/ (~Watched /\ Commits(Me)))
     \/ E.op = "REJECT" /\ (FailsForGood(Me) \/ (w[Me].pc = "parking" /\ Parks(Me)))

TraceNext ==
  /\ l <= Len(Traces[t].events) /\ t' = t
  /\ IF Stops THEN ReplicaStops /\ l' = l /\ may' = may
     ELSE IF OutOfDate THEN Dates /\ l' = l /\ may' = may
     ELSE \/ Observed /\ l' = l + 1
          \/ Hidden /\ l' = l /\ may' = may

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, t, l, may>>

\* A constraint that constrains nothing: the reader of the output takes the greatest l of each trace.
Reached == PrintT(<<"@", t, l, Work.st, Work.fen, Work.att, Work.own, Work.live, IF l <= Len(Traces[t].events) /\ E.who # "" THEN w[Me].pc ELSE "">>)
=============================================================================
