------------------------------ MODULE Boundary ------------------------------
(* One idempotency key on its way through an HTTP intake, a broker and competing consumers.

   Time is left out: a lease may lapse at any moment, which covers long pauses, slow work, stopped processes and clocks
   that jump. Faults come as often as their budget in "Once", "Twice" and "Thrice" allows and in any order; what a fault does not excuse must
   hold. "Flaws" switches known mistakes on, one configuration each: each of them must be found. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Gateways,      \* processes of the intake
  Workers,       \* processes of the consumer
  Flaws,         \* mistakes that are switched on
  Store,         \* what the business database enforces: "none", "fence" (refuses older fences) or "inbox" (one row per key)
  BrokerParks,   \* who moves a message that failed for good: TRUE the broker, after REJECT; FALSE idem, confirmed, before REJECT
  Poison,        \* TRUE: the work fails in every attempt
  Takeover,      \* what follows from a takeover, whose outcome is unknown: "rerun", "park" or "reconcile"
  MostAttempts,  \* attempts until EXHAUSTED; 0: no limit
  MostFences,    \* fences stop growing here, so that endless repetition is a loop and not an endless path
  Once, Twice, Thrice  \* the faults, failures and acts of operators that may happen, by how often each may

VARIABLES
  rec,    \* section -> record
  cli,    \* the client: "asking" until it was told that its request is taken
  gw,     \* gateway -> where it stands
  w,      \* worker -> where it stands, the fence it was granted, whether it still holds the message
  queue,  \* copies of the message at the broker
  dead,   \* dead letters
  eff,    \* committed effects
  asked,  \* how often the effect was asked for: once, and once more for each COMPLETED that an operator reopened
  row,    \* the inbox row
  top,    \* greatest fence that the database has seen, if it looks at fences
  out,    \* whether the message that the work publishes is durable
  ghost,  \* acquires under way whose sender has given up and forgotten them
  side,   \* beside the protocol: who "kept" the owner token of an acquire that was not answered, whose acquire is "owed" to it by the
          \* network, whose acquire was repeated and has "copies" there, how many commits are "open" whose worker has left them, the
          \* "older" records that replicas hold, and, where takeovers are decided, whether any work has "begun"
  seq,    \* greatest fence ever granted: what a clock in microseconds stands for
  left    \* what is left of the budget

vars == <<rec, cli, gw, w, queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

Budgeted == {"publish", "again", "unconfirmed", "gatewaycrash", "lostreply", "fail", "final", "reopen", "redrive",
             "repeat", "force", "rebuild", "withdraw", "crash", "connection", "lapse", "loss", "expiry", "copy", "unknown", "setback", "sendback"}
ASSUME Once \cup Twice \cup Thrice \subseteq Budgeted
Budget == [f \in Budgeted |-> IF f \in Thrice THEN 3 ELSE IF f \in Twice THEN 2 ELSE IF f \in Once THEN 1 ELSE 0]

Flaw(f) == f \in Flaws
Intake == IF Flaw("shared-section") THEN "work" ELSE "intake"
Absent == [st |-> "ABSENT", own |-> "none", fen |-> 0, live |-> FALSE, att |-> 0, unk |-> FALSE]
Idle == [pc |-> "idle", fen |-> 0, msg |-> FALSE]
Work == rec["work"]

Spend(what) == left[what] > 0 /\ left' = [left EXCEPT ![what] = @ - 1]

\* Owner tokens are random and compared for equality only: an owner's name will do, once it is taken from what it leaves behind.
Disowned(r, who) == IF r.own = who THEN [r EXCEPT !.own = "gone"] ELSE r
Forsake(who) == [s \in DOMAIN rec |-> Disowned(rec[s], who)]

Max(a, b) == IF a > b THEN a ELSE b
NewFence == IF Flaw("counter-fence") THEN Work.fen + 1 ELSE IF seq < MostFences THEN seq + 1 ELSE seq
\* Whether a grant took over from an owner whose outcome is unknown is kept in the record, "unk", for whoever asks for it again.
Decided == Takeover # "rerun"
Granted(owner) == [st |-> "PENDING", own |-> owner, fen |-> NewFence, live |-> TRUE,
                   att |-> IF MostAttempts = 0 THEN 0 ELSE Work.att + 1, unk |-> Decided /\ Work.st = "PENDING"]
Grant(owner) == rec' = [rec EXCEPT !["work"] = Granted(owner)] /\ seq' = Max(seq, NewFence)

Init ==
  /\ rec = [s \in {"intake", "work"} |-> Absent]
  /\ cli = "asking" /\ gw = [g \in Gateways |-> "idle"] /\ w = [i \in Workers |-> Idle]
  /\ queue = 0 /\ dead = 0 /\ eff = 0 /\ asked = 1 /\ row = FALSE /\ top = 0 /\ out = FALSE
  /\ ghost = 0 /\ seq = 0 /\ left = Budget
  /\ side = [kept |-> {}, owed |-> {}, copies |-> {}, open |-> 0, older |-> {}, begun |-> FALSE]

-----------------------------------------------------------------------------
(* The intake. The client asks until it is told; "again" is a request that comes although it was told. *)

Atrest(s) == rec[s].st \in {"ABSENT", "FAILED"} \/ (rec[s].st = "PENDING" /\ ~rec[s].live)
Asks == IF cli = "asking" THEN left' = left ELSE Spend("again")
Unmoved == UNCHANGED <<w, dead, eff, asked, row, top, out, ghost, side>>

GatewayGranted(g) ==
  /\ gw[g] = "idle" /\ Asks /\ Atrest(Intake)
  /\ rec' = [rec EXCEPT ![Intake].st = "PENDING", ![Intake].own = g, ![Intake].live = TRUE]
  /\ gw' = [gw EXCEPT ![g] = "granted"]
  /\ Unmoved /\ UNCHANGED <<cli, queue, seq>>

GatewayReplays(g) ==
  /\ gw[g] = "idle" /\ Asks /\ rec[Intake].st = "COMPLETED" /\ cli' = "told"
  /\ Unmoved /\ UNCHANGED <<rec, gw, queue, seq>>

GatewayCompletesEarly(g) ==
  /\ Flaw("complete-before-confirm") /\ gw[g] = "granted" /\ rec[Intake].own = g
  /\ rec' = [rec EXCEPT ![Intake].st = "COMPLETED", ![Intake].own = "none", ![Intake].live = FALSE]
  /\ gw' = [gw EXCEPT ![g] = "early"]
  /\ Unmoved /\ UNCHANGED <<cli, queue, seq, left>>

MayPublish(g) == gw[g] = (IF Flaw("complete-before-confirm") THEN "early" ELSE "granted")

GatewayPublishes(g) ==
  /\ MayPublish(g) /\ Spend("publish") /\ queue' = queue + 1 /\ gw' = [gw EXCEPT ![g] = "confirmed"]
  /\ Unmoved /\ UNCHANGED <<rec, cli, seq>>

\* Nacked, returned or unconfirmed in time; the broker may have it all the same. FAIL, and the client is asked to come again.
FailedBy(owner, r) ==
  IF r.st = "PENDING" /\ r.own = owner THEN [r EXCEPT !.st = "FAILED", !.own = "gone", !.live = FALSE] ELSE r
GatewayUnconfirmed(g) ==
  /\ MayPublish(g) /\ ~Flaw("complete-before-confirm") /\ Spend("unconfirmed")
  /\ queue' \in {queue, queue + 1} /\ rec' = [rec EXCEPT ![Intake] = FailedBy(g, @)] /\ gw' = [gw EXCEPT ![g] = "idle"]
  /\ Unmoved /\ UNCHANGED <<cli, seq>>

\* Its own COMPLETE, or another's: told. Anything else: an error, and the client comes again.
GatewayAnswers(g) ==
  /\ gw[g] = "confirmed" /\ gw' = [gw EXCEPT ![g] = "idle"]
  /\ LET mine == rec[Intake].st = "PENDING" /\ rec[Intake].own = g
         known == mine \/ rec[Intake].st = "COMPLETED" \/ Flaw("complete-before-confirm")
     IN /\ rec' = IF mine
                  THEN [rec EXCEPT ![Intake].st = "COMPLETED", ![Intake].own = "none", ![Intake].live = FALSE]
                  ELSE rec
        /\ cli' = IF known THEN "told" ELSE cli
  /\ Unmoved /\ UNCHANGED <<queue, seq, left>>

\* A hand-off whose COMPLETE stays unanswered: the message is durable, so the client is told; the record may be behind.
GatewayAnswersUnrecorded(g) ==
  /\ gw[g] = "confirmed" /\ Spend("lostreply") /\ gw' = [gw EXCEPT ![g] = "idle"] /\ cli' = "told"
  /\ rec' = Forsake(g)
  /\ Unmoved /\ UNCHANGED <<queue, seq>>

GatewayDies(g) ==
  /\ gw[g] # "idle" /\ Spend("gatewaycrash") /\ gw' = [gw EXCEPT ![g] = "idle"] /\ rec' = Forsake(g)
  /\ Unmoved /\ UNCHANGED <<cli, queue, seq>>

-----------------------------------------------------------------------------
(* The consumer. *)

AtIntake == UNCHANGED <<cli, gw>>
Held(i) == Work.st = "PENDING" /\ Work.live /\ Work.own # i
Exhausted == MostAttempts # 0 /\ Work.att >= MostAttempts /\ Atrest("work")
Free == Atrest("work") /\ ~Exhausted
Step(i, pc) == w' = [w EXCEPT ![i].pc = pc]
Ends(i) == w' = [w EXCEPT ![i] = Idle]
GivesBack(i) == Ends(i) /\ queue' = queue + (IF w[i].msg THEN 1 ELSE 0)
Mine(i) == Work.st = "PENDING" /\ Work.own = i /\ Work.fen = w[i].fen
Finished == [Work EXCEPT !.st = "COMPLETED", !.own = "none", !.live = FALSE]
Reenters(i) == Work.st = "PENDING" /\ Work.own = i

\* Who owns what an attempt left behind: nobody, once the attempt has ended without keeping its token.
Named(i) == IF w[i].pc = "idle" /\ i \notin side.kept THEN "gone" ELSE i

\* With a new token, unless it has kept one: copies of the acquire before are nobody's.
Delivered(i) ==
  /\ queue > 0 /\ w[i].pc = "idle" /\ queue' = queue - 1
  /\ w' = [w EXCEPT ![i] = [pc |-> "got", fen |-> 0, msg |-> TRUE]]
  /\ IF Named(i) = "gone"
     THEN /\ side' = [side EXCEPT !.copies = @ \ {i}, !.older = {Disowned(r, i) : r \in @}]
          /\ ghost' = ghost + (IF i \in side.copies THEN 1 ELSE 0)
     ELSE UNCHANGED <<ghost, side>>
  /\ AtIntake /\ UNCHANGED <<rec, dead, eff, asked, row, top, out, seq, left>>

\* Where takeovers are decided, Redis executes in its order what a process sends: to who is answered nothing is owed.
IsHeard(i) == w[i].pc = "got" /\ (Decided => i \notin side.owed)
\* It was answered: its next attempt has a new token, and what is still on its way is nobody's.
Forgets(i) ==
  /\ side' = [side EXCEPT !.kept = @ \ {i}, !.owed = @ \ {i}] /\ ghost' = ghost + (IF i \in side.owed THEN 1 ELSE 0)
Begins(i) ==
  /\ side' = [side EXCEPT !.kept = @ \ {i}, !.owed = @ \ {i}, !.begun = Decided \/ @]
  /\ ghost' = ghost + (IF i \in side.owed THEN 1 ELSE 0)
\* An earlier outcome is unknown: decided before the work may run.
Goes(i, takeover) ==
  IF takeover /\ Decided THEN Forgets(i) /\ w' = [w EXCEPT ![i].pc = "deciding", ![i].fen = rec'["work"].fen]
  ELSE Begins(i) /\ w' = [w EXCEPT ![i].pc = "granted", ![i].fen = rec'["work"].fen]

IsGranted(i) ==
  /\ IsHeard(i) /\ Free /\ ~Reenters(i) /\ Grant(i) /\ Goes(i, Work.st = "PENDING")
  /\ AtIntake /\ UNCHANGED <<queue, dead, eff, asked, row, top, out, left>>

\* Redis granted it, and the answer was lost: it asks again, in the same name.
IsGrantedUnheard(i) ==
  /\ IsHeard(i) /\ Free /\ ~Reenters(i) /\ Spend("lostreply") /\ Grant(i) /\ Step(i, "unheard")
  /\ AtIntake /\ UNCHANGED <<queue, dead, eff, asked, row, top, out, ghost, side>>

AsksAgain(i) ==
  /\ w[i].pc = "unheard"
  /\ IF Reenters(i) /\ ~Flaw("new-token-per-retry")
     THEN rec' = [rec EXCEPT !["work"].live = TRUE] /\ Goes(i, Work.unk)
     ELSE Step(i, "got") /\ rec' = Forsake(i) /\ UNCHANGED <<ghost, side>>
  /\ AtIntake /\ UNCHANGED <<queue, dead, eff, asked, row, top, out, seq, left>>

\* It gives up waiting for Redis and hands the message back, while its acquire is still on the way. It keeps its token.
GivesUpAsking(i) ==
  /\ w[i].pc = "got" /\ Spend("lostreply") /\ GivesBack(i)
  /\ IF Flaw("given-up-forgotten") THEN ghost' = ghost + 1 /\ side' = side
     ELSE ghost' = ghost /\ side' = [side EXCEPT !.kept = @ \cup {i}, !.owed = @ \cup {i}]
  /\ AtIntake /\ UNCHANGED <<rec, dead, eff, asked, row, top, out, seq>>

GhostArrives ==
  /\ ghost > 0 /\ ghost' = ghost - 1
  /\ IF Free THEN Grant("gone") ELSE UNCHANGED <<rec, seq>>
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, side, left>>

\* The same for one whose sender, or another attempt of its process, still has its token.
KeptArrives(i) ==
  /\ i \in side.owed /\ side' = [side EXCEPT !.owed = @ \ {i}]
  /\ IF Reenters(i) THEN rec' = [rec EXCEPT !["work"].live = TRUE] /\ seq' = seq
     ELSE IF Free THEN Grant(i) ELSE UNCHANGED <<rec, seq>>
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, left>>

\* An acquire that is not answered in time is repeated in the same name, while its first copy is still on its way. Where takeovers are decided,
\* the repetition comes behind it.
AsksTwice(i) ==
  /\ w[i].pc = "got" /\ i \notin side.copies /\ (Decided => Flaw("copies-out-of-order")) /\ Spend("copy")
  /\ side' = [side EXCEPT !.copies = @ \cup {i}]
  /\ AtIntake /\ UNCHANGED <<rec, w, queue, dead, eff, asked, row, top, out, ghost, seq>>

\* The copy is executed, perhaps long after its owner was answered or has settled, and nobody hears of it. If its owner holds the record, the
\* lease is extended. A record at rest is granted in the owner's name. Nothing else changes.
Arrived(i) == [side EXCEPT !.copies = @ \ {i}]
CopyArrives(i) ==
  /\ i \in side.copies /\ side' = Arrived(i)
  /\ LET again == Named(i) = i /\ Reenters(i)
     IN IF again /\ ~Flaw("copy-granted-anew") THEN rec' = [rec EXCEPT !["work"].live = TRUE] /\ seq' = seq
        ELSE IF again \/ Free THEN Grant(Named(i)) ELSE UNCHANGED <<rec, seq>>
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, left>>

\* The next attempt of the process asks in the name of the one before, or a copy was faster: it is told of the grant.
IsTold(i) ==
  /\ IsHeard(i) /\ Reenters(i)
  /\ rec' = [rec EXCEPT !["work"].live = TRUE] /\ Goes(i, Work.unk)
  /\ AtIntake /\ UNCHANGED <<queue, dead, eff, asked, row, top, out, seq, left>>

\* Redis answers again, and the message went elsewhere: the grant is given back, unless it is a takeover, whose lease runs out. Redis has
\* executed by then what it received before.
Withdraws(i) ==
  /\ w[i].pc = "idle" /\ i \in side.kept /\ (Decided => i \notin side.owed)
  /\ rec' = IF Reenters(i) /\ ~Work.unk THEN [rec EXCEPT !["work"] = FailedBy(i, @)] ELSE Forsake(i)
  /\ Forgets(i)
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, seq, left>>

\* Too few replicas confirm a grant: Redis takes it back, and its caller is told that Redis is away. What followed a known end may be tried
\* again; an unknown outcome stays unknown.
IsTakenBack(i) ==
  /\ IsHeard(i) /\ Free /\ ~Reenters(i) /\ Spend("withdraw")
  /\ LET unknown == Work.st = "PENDING" /\ ~Flaw("withdrawn-as-failed")
     IN rec' = [rec EXCEPT !["work"].st = IF unknown THEN "PENDING" ELSE "FAILED", !["work"].own = "gone", !["work"].live = FALSE,
                           !["work"].fen = NewFence]
  /\ seq' = Max(seq, NewFence) /\ GivesBack(i)
  /\ AtIntake /\ UNCHANGED <<dead, eff, asked, row, top, out, ghost, side>>

\* A takeover of unknown outcome: a row of the inbox answers first, then the policy. Who reconciles finds out what took effect, and sees
\* to the messages of what did.
Decides(i) ==
  /\ w[i].pc = "deciding"
  /\ CASE Store = "inbox" /\ row -> Step(i, "granted") /\ UNCHANGED <<rec, queue, out, side>>
       [] ~(Store = "inbox" /\ row) /\ ~Mine(i) -> GivesBack(i) /\ rec' = Forsake(i) /\ UNCHANGED <<out, side>>
       [] ~(Store = "inbox" /\ row) /\ Mine(i) /\ Takeover = "park" ->
            /\ rec' = [rec EXCEPT !["work"].st = "REJECTED", !["work"].own = "parked", !["work"].live = FALSE]
            /\ Step(i, "refused") /\ UNCHANGED <<queue, out, side>>
       [] ~(Store = "inbox" /\ row) /\ Mine(i) /\ Takeover = "reconcile" ->
            IF eff >= asked
            THEN /\ rec' = [rec EXCEPT !["work"] = Finished] /\ out' = TRUE /\ Step(i, "settled") /\ UNCHANGED <<queue, side>>
            ELSE /\ Step(i, "granted") /\ side' = [side EXCEPT !.begun = TRUE] /\ UNCHANGED <<rec, queue, out>>
  /\ AtIntake /\ UNCHANGED <<dead, eff, asked, row, top, ghost, seq, left>>

IsBusy(i) ==
  /\ IsHeard(i) /\ Held(i)
  /\ IF Flaw("busy-acknowledged") THEN Ends(i) /\ queue' = queue ELSE GivesBack(i)
  /\ AtIntake /\ UNCHANGED <<rec, dead, eff, asked, row, top, out, seq, left>> /\ Forgets(i)

IsReplay(i) ==
  /\ IsHeard(i) /\ Work.st = "COMPLETED" /\ Ends(i)
  /\ AtIntake /\ UNCHANGED <<rec, queue, dead, eff, asked, row, top, out, seq, left>> /\ Forgets(i)

IsRefused(i) ==
  /\ IsHeard(i)
  /\ \/ Work.st = "REJECTED" /\ IF Flaw("rejected-acknowledged") THEN Ends(i) ELSE Step(i, "refused")
     \/ Exhausted /\ ~Reenters(i) /\ IF Flaw("exhausted-acknowledged") THEN Ends(i) ELSE Step(i, "refused")
  /\ AtIntake /\ UNCHANGED <<rec, queue, dead, eff, asked, row, top, out, seq, left>> /\ Forgets(i)

AcknowledgesEarly(i) ==
  /\ Flaw("acknowledge-before-commit") /\ w[i].pc = "granted" /\ w[i].msg /\ w' = [w EXCEPT ![i].msg = FALSE]
  /\ AtIntake /\ UNCHANGED <<rec, queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

\* Work runs only where no row says that it was done.
Runs(i) == w[i].pc = "granted" /\ ~(Store = "inbox" /\ row)

Commits(i) ==
  /\ ~Poison
  /\ \/ /\ Store = "none" /\ w[i].pc = "granted" /\ eff' = eff + 1 /\ Step(i, "committed") /\ UNCHANGED <<row, top, queue, rec>>
     \/ /\ Store = "fence" /\ w[i].pc = "granted" /\ w[i].fen >= top /\ eff' = eff + 1 /\ top' = w[i].fen
        /\ Step(i, "committed") /\ UNCHANGED <<row, queue, rec>>
     \/ /\ Store = "fence" /\ w[i].pc = "granted" /\ w[i].fen < top /\ GivesBack(i) /\ rec' = Forsake(i)
        /\ UNCHANGED <<row, top, eff>>
     \/ /\ Store = "inbox" /\ Runs(i) /\ eff' = eff + 1 /\ row' = TRUE /\ Step(i, "committed")
        /\ UNCHANGED <<top, queue, rec>>
  /\ AtIntake /\ UNCHANGED <<dead, asked, out, ghost, side, seq, left>>

\* The connection breaks during the commit, which took effect, or did not, or is still open: the worker is not told. An exception of the
\* work's own transaction is a failure like any other, and FAIL is written. An inbox asks the row, and while that does not tell, the record is
\* left and its lease lapses; the transaction of a listener's container leaves it too.
CommitIsUnknown(i) ==
  /\ ~Poison /\ Store \in {"none", "inbox"} /\ Runs(i) /\ Spend("unknown")
  /\ \/ eff' = eff + 1 /\ row' = (Store = "inbox") /\ side' = side
     \/ eff' = eff /\ row' = row /\ side' = side
     \/ eff' = eff /\ row' = row /\ side' = [side EXCEPT !.open = @ + 1]
  /\ \/ rec' = [rec EXCEPT !["work"] = IF Mine(i) THEN FailedBy(i, @) ELSE Disowned(@, i)]
     \/ rec' = Forsake(i)
  /\ GivesBack(i)
  /\ AtIntake /\ UNCHANGED <<dead, asked, top, out, ghost, seq>>

\* The database ends the session later, either way; where another has written the row, only by rolling back.
OpenCommitEnds ==
  /\ side.open > 0 /\ side' = [side EXCEPT !.open = @ - 1]
  /\ \/ UNCHANGED <<eff, row>>
     \/ ~(Store = "inbox" /\ row) /\ eff' = eff + 1 /\ row' = (Store = "inbox")
  /\ AtIntake /\ UNCHANGED <<rec, w, queue, dead, asked, top, out, ghost, seq, left>>

\* The row of a committed attempt keeps what the work published; it is published again.
FindsRow(i) ==
  /\ Store = "inbox" /\ w[i].pc = "granted" /\ row
  /\ Step(i, IF Flaw("outgoing-not-kept") THEN "confirmed" ELSE "committed")
  /\ AtIntake /\ UNCHANGED <<rec, queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

IsConfirmed(i) ==
  /\ w[i].pc = "committed" /\ Step(i, "confirmed") /\ out' = TRUE
  /\ AtIntake /\ UNCHANGED <<rec, queue, dead, eff, asked, row, top, ghost, side, seq, left>>

Completes(i) ==
  /\ w[i].pc = "confirmed"
  /\ IF Mine(i) \/ Flaw("owner-unchecked")
     THEN rec' = [rec EXCEPT !["work"] = Finished] /\ Step(i, "settled")
     ELSE rec' = rec /\ Step(i, IF Work.st = "COMPLETED" THEN "settled" ELSE "restoring")
  /\ AtIntake /\ UNCHANGED <<queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

CompletesUnheard(i) ==
  /\ w[i].pc = "confirmed" /\ Mine(i) /\ Spend("lostreply") /\ rec' = [rec EXCEPT !["work"] = Finished]
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, side, seq>>

\* The effect is durable and its record is gone or somebody else's: bring it back if it is nobody's; acknowledge in any case.
Restores(i) ==
  /\ w[i].pc = "restoring"
  /\ IF Atrest("work")
     THEN Grant(i) /\ w' = [w EXCEPT ![i].pc = "confirmed", ![i].fen = NewFence]
     ELSE UNCHANGED <<rec, seq>> /\ Step(i, "settled")
  /\ AtIntake /\ UNCHANGED <<queue, dead, eff, asked, row, top, out, ghost, side, left>>

Acknowledges(i) ==
  /\ w[i].pc = "settled" /\ Ends(i) /\ rec' = Forsake(i)
  /\ AtIntake /\ UNCHANGED <<queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

-----------------------------------------------------------------------------
(* Failures and dead letters. *)

Fails(i) ==
  /\ Runs(i) /\ IF Poison THEN left' = left ELSE Spend("fail")
  /\ rec' = [rec EXCEPT !["work"] =
       IF Flaw("owner-unchecked") THEN [@ EXCEPT !.st = "FAILED", !.own = "gone", !.live = FALSE]
       ELSE IF Flaw("clear-deletes") /\ Mine(i) THEN Absent
       ELSE IF Mine(i) THEN FailedBy(i, @) ELSE Disowned(@, i)]
  /\ GivesBack(i)
  /\ AtIntake /\ UNCHANGED <<dead, eff, asked, row, top, out, ghost, side, seq>>

\* The work publishes its own message again, for a later attempt of the same operation. Once the broker has the copy, FAIL is written
\* instead of COMPLETE, due at once, and the message is acknowledged.
SendsBack(i) ==
  /\ Runs(i) /\ Spend("sendback") /\ Step(i, "sentback")
  /\ queue' \in (IF Flaw("sent-back-unconfirmed") THEN {queue, queue + 1} ELSE {queue + 1})
  /\ AtIntake /\ UNCHANGED <<rec, dead, eff, asked, row, top, out, ghost, side, seq>>

EndsSentBack(i) ==
  /\ w[i].pc = "sentback" /\ Step(i, "settled")
  /\ rec' = [rec EXCEPT !["work"] = IF ~Mine(i) THEN Disowned(@, i) ELSE IF Flaw("sent-back-completed") THEN Finished ELSE FailedBy(i, @)]
  /\ AtIntake /\ UNCHANGED <<queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

FailsForGood(i) ==
  /\ Runs(i) /\ Spend("final") /\ Step(i, IF BrokerParks THEN "rejecting" ELSE "parking")
  /\ AtIntake /\ UNCHANGED <<rec, queue, dead, eff, asked, row, top, out, ghost, side, seq>>

\* What was refused or failed for good. Published by idem: confirmed first. By the broker: only what this worker still holds.
Parks(i) ==
  /\ w[i].pc \in {"parking", "refused"}
  /\ LET more == IF BrokerParks /\ ~w[i].msg THEN 0 ELSE 1
     IN dead' \in (IF Flaw("dead-letter-unconfirmed") THEN {dead, dead + more} ELSE {dead + more})
  /\ Step(i, IF w[i].pc = "parking" THEN "rejecting" ELSE "settled")
  /\ AtIntake /\ UNCHANGED <<rec, queue, eff, asked, row, top, out, ghost, side, seq, left>>

\* REJECT. Whose record it is not: done by another is a replay; else the message goes back, and whoever owns the record decides.
Rejects(i) ==
  /\ w[i].pc = "rejecting"
  /\ IF Mine(i)
     THEN /\ rec' = [rec EXCEPT !["work"].st = "REJECTED", !["work"].own = "none", !["work"].live = FALSE]
          /\ Step(i, IF BrokerParks THEN "refused" ELSE "settled") /\ queue' = queue
     ELSE /\ rec' = Forsake(i)
          /\ IF Work.st \in {"COMPLETED", "REJECTED"} /\ ~BrokerParks THEN Step(i, "settled") /\ queue' = queue
             ELSE GivesBack(i)
  /\ AtIntake /\ UNCHANGED <<dead, eff, asked, row, top, out, ghost, side, seq, left>>

\* An operator frees what is rejected or exhausted, and has dead letters delivered again. What is rejected is looked at before: whether it took
\* effect. What is exhausted and was left by its owner is still of unknown outcome.
Reopens ==
  /\ (Work.st = "REJECTED" /\ (Work.own = "parked" => eff < asked)) \/ Exhausted
  /\ Spend("reopen")
  /\ rec' = [rec EXCEPT !["work"].st = IF Work.st = "PENDING" /\ ~Flaw("reopened-as-failed") THEN "PENDING" ELSE "FAILED",
                         !["work"].own = "gone", !["work"].live = FALSE, !["work"].att = 0]
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, side, seq>>

Redrives ==
  /\ dead > 0 /\ Spend("redrive") /\ dead' = dead - 1 /\ queue' = queue + 1
  /\ AtIntake /\ UNCHANGED <<rec, w, eff, asked, row, top, out, ghost, side, seq>>

\* What the row of a committed attempt keeps is sent by whoever calls the work done.
KeepsMessages == Store = "inbox" /\ row

\* An operator ends unsettled work in its owner's place, alive or not: it may be tried again at once, or is called done, which a person
\* must have found out. The fence grows and nobody owns the record. The owner is not stopped; its writes are.
Forces ==
  /\ Work.st \in {"PENDING", "FAILED"} /\ Spend("force")
  /\ \E end \in (IF eff >= asked /\ (out \/ KeepsMessages) THEN {"FAILED", "COMPLETED"} ELSE {"FAILED"}) :
       /\ rec' = [rec EXCEPT !["work"].st = end, !["work"].own = "operator", !["work"].live = FALSE, !["work"].fen = NewFence]
       /\ out' = (out \/ (end = "COMPLETED" /\ ~Flaw("forced-unsent")))
  /\ seq' = Max(seq, NewFence)
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, ghost, side>>

\* Redis came back empty, and an operator has the records made again from the rows. What a row keeps unsent is sent first.
Rebuilds ==
  /\ Store = "inbox" /\ row /\ Work.st = "ABSENT" /\ Spend("rebuild")
  /\ rec' = [rec EXCEPT !["work"].st = "COMPLETED", !["work"].fen = seq]
  /\ out' = (out \/ ~Flaw("rebuilt-unsent"))
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, ghost, side, seq>>

\* An operator wants finished work done once more: the row goes with the record, and the message is sent again.
Repeats ==
  /\ Work.st = "COMPLETED" /\ Spend("repeat")
  /\ rec' = [rec EXCEPT !["work"].st = "FAILED", !["work"].att = 0] /\ row' = FALSE /\ asked' = asked + 1 /\ queue' = queue + 1
  /\ AtIntake /\ UNCHANGED <<w, dead, eff, top, out, ghost, side, seq>>

-----------------------------------------------------------------------------
(* Faults. *)

Dies(i) ==
  /\ w[i].pc # "idle" \/ i \in side.kept
  /\ Spend("crash") /\ GivesBack(i) /\ rec' = Forsake(i) /\ Forgets(i)
  /\ AtIntake /\ UNCHANGED <<dead, eff, asked, row, top, out, seq>>

\* The broker takes the connection for dead and delivers again, while the worker goes on.
LosesConnection(i) ==
  /\ w[i].pc # "idle" /\ w[i].msg /\ Spend("connection") /\ queue' = queue + 1 /\ w' = [w EXCEPT ![i].msg = FALSE]
  /\ AtIntake /\ UNCHANGED <<rec, dead, eff, asked, row, top, out, ghost, side, seq>>

\* A dead owner's lease lapses for sure; a living one's is renewed, unless the renewal fails.
Lapses(s) == rec[s].st = "PENDING" /\ rec[s].live /\ rec' = [rec EXCEPT ![s].live = FALSE]
\* A grant to a copy has a living owner's name and a fence that this owner does not know: nobody renews it.
NotKnownToItsOwner ==
  Work.own \in Workers /\ w[Work.own].pc \notin {"idle", "got", "unheard"} /\ w[Work.own].fen # Work.fen
Alive(s) == rec[s].own \in Gateways \cup Workers /\ ~(s = "work" /\ NotKnownToItsOwner)
LapsesOfTheDead(s) ==
  /\ ~Alive(s) /\ Lapses(s)
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>
LapsesOfTheLiving(s) ==
  /\ Alive(s) /\ Lapses(s) /\ Spend("lapse")
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, side, seq>>

Renews(i) ==
  /\ w[i].pc \in {"deciding", "granted", "sentback", "committed", "confirmed"} /\ Mine(i) /\ ~Work.live /\ rec' = [rec EXCEPT !["work"].live = TRUE]
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, side, seq, left>>

RedisForgetsAll ==
  /\ Spend("loss") /\ rec' = [s \in DOMAIN rec |-> Absent]
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, side, seq>>

\* A replica no longer follows, and a later failover goes back to its older state of the work's record, whose lease may have ended meanwhile.
\* A token of an attempt that has ended is nobody's.
ReplicaStops ==
  /\ Cardinality(side.older) < left["setback"] /\ side' = [side EXCEPT !.older = @ \cup {[Work EXCEPT !.live = FALSE]}]
  /\ AtIntake /\ UNCHANGED <<rec, w, queue, dead, eff, asked, row, top, out, ghost, seq, left>>
IsSetBack ==
  /\ Spend("setback")
  /\ \E found \in side.older : \E live \in IF found.st = "PENDING" THEN {TRUE, FALSE} ELSE {FALSE} :
       /\ side' = [side EXCEPT !.older = @ \ {found}]
       /\ LET own == IF found.own \in Workers THEN Named(found.own) ELSE found.own
          IN rec' = [rec EXCEPT !["work"] = [found EXCEPT !.own = own, !.live = live]]
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, seq>>

InFlight == \E i \in Workers : w[i].pc # "idle"
Quiet == queue = 0 /\ ~InFlight /\ (\A g \in Gateways : gw[g] = "idle") /\ ghost = 0 /\ side.kept = {}
         /\ side.copies = {} /\ side.open = 0
NothingToCome == Quiet /\ cli = "told" /\ left["again"] = 0 /\ left["redrive"] = 0 /\ left["repeat"] = 0

\* Retention ends: after the last possible duplicate, as configured, or too early.
Expires(s) ==
  /\ rec[s].st # "ABSENT" /\ ~(rec[s].st = "PENDING" /\ rec[s].live)
  /\ IF NothingToCome THEN left' = left ELSE Flaw("retention-too-short") /\ Spend("expiry")
  /\ rec' = [rec EXCEPT ![s] = Absent]
  /\ AtIntake /\ UNCHANGED <<w, queue, dead, eff, asked, row, top, out, ghost, side, seq>>

RowExpires ==
  /\ row /\ Flaw("inbox-retention-too-short") /\ Spend("expiry") /\ row' = FALSE
  /\ AtIntake /\ UNCHANGED <<rec, w, queue, dead, eff, asked, top, out, ghost, side, seq>>

Faults ==
  \/ RedisForgetsAll \/ ReplicaStops \/ IsSetBack \/ RowExpires \/ Reopens \/ Redrives \/ Repeats \/ Forces \/ Rebuilds
  \/ \E s \in DOMAIN rec : LapsesOfTheLiving(s) \/ Expires(s)
  \/ \E g \in Gateways : GatewayDies(g) \/ GatewayUnconfirmed(g) \/ GatewayAnswersUnrecorded(g) \/ GatewayCompletesEarly(g)
  \/ \E i \in Workers : \/ Dies(i) \/ LosesConnection(i) \/ IsGrantedUnheard(i) \/ GivesUpAsking(i) \/ AsksTwice(i) \/ IsTakenBack(i)
                        \/ CommitIsUnknown(i) \/ CompletesUnheard(i) \/ Fails(i) \/ SendsBack(i)
                        \/ FailsForGood(i) \/ Renews(i)

\* What is not a fault happens sooner or later. A worker that is free again and again gets a message, and a free record, at last.
GatewayGoesOn(g) == GatewayGranted(g) \/ GatewayReplays(g) \/ GatewayPublishes(g) \/ GatewayAnswers(g)
WorkerGoesOn(i) ==
  \/ AsksAgain(i) \/ IsTold(i) \/ Decides(i) \/ IsBusy(i) \/ IsReplay(i) \/ IsRefused(i) \/ AcknowledgesEarly(i) \/ Commits(i) \/ (Poison /\ Fails(i))
  \/ FindsRow(i) \/ IsConfirmed(i) \/ EndsSentBack(i) \/ Completes(i) \/ Restores(i) \/ Acknowledges(i) \/ Parks(i) \/ Rejects(i)
Next ==
  \/ Faults \/ GhostArrives \/ OpenCommitEnds \/ LapsesOfTheDead("intake") \/ LapsesOfTheDead("work")
  \/ \E i \in Workers : KeptArrives(i) \/ CopyArrives(i) \/ Withdraws(i)
  \/ \E g \in Gateways : GatewayGoesOn(g)
  \/ \E i \in Workers : WorkerGoesOn(i) \/ Delivered(i) \/ IsGranted(i)

Fair ==
  /\ WF_vars(GhostArrives) /\ WF_vars(OpenCommitEnds)
  /\ \A i \in Workers : WF_vars(KeptArrives(i)) /\ WF_vars(CopyArrives(i)) /\ WF_vars(Withdraws(i))
  /\ WF_vars(LapsesOfTheDead("intake")) /\ WF_vars(LapsesOfTheDead("work"))
  /\ \A g \in Gateways : WF_vars(GatewayGoesOn(g))
  /\ \A i \in Workers : WF_vars(WorkerGoesOn(i)) /\ SF_vars(Delivered(i)) /\ SF_vars(IsGranted(i))

Safety == Init /\ [][Next]_vars
Spec == Safety /\ Fair

-----------------------------------------------------------------------------
(* What must hold. The numbers are those of the protocol's invariants. *)

\* I3: what a client was told is done, or a dead letter, once everything is quiet.
NoLoss == (cli = "told" /\ Quiet) => (eff >= 1 \/ dead >= 1)
\* I2
AtMostOnce == eff <= asked
\* I4
IntakeTruth == rec["intake"].st = "COMPLETED" => (queue > 0 \/ InFlight \/ eff >= 1 \/ dead >= 1)
CompletedTruth == (Work.st = "COMPLETED" /\ ~Flaw("shared-section")) => eff >= 1
\* What the work published is durable before its record says so.
OutgoingTruth == (Work.st = "COMPLETED" /\ ~Flaw("shared-section")) => out
\* A rejected record has its dead letter, or whoever makes it one; or a superseded owner committed after all.
RejectedTruth == Work.st = "REJECTED" => (dead >= 1 \/ eff >= 1 \/ queue > 0 \/ InFlight)
\* What is parked as of unknown outcome was begun.
ParkedTruth == (Work.st = "REJECTED" /\ Work.own = "parked") => side.begun

\* A new grant; an older one that comes back is none.
IsNew == rec'["work"].st = "PENDING" /\ rec'["work"].fen # Work.fen /\ left'["setback"] = left["setback"]
\* I1
LeaseRespected == [][IsNew => ~(Work.st = "PENDING" /\ Work.live)]_vars
\* I5
CompletedStays ==
  [][(Work.st = "COMPLETED" /\ rec'["work"].st # "COMPLETED") =>
       (NothingToCome \/ \E act \in {"repeat", "loss", "setback", "expiry"} : left'[act] < left[act])]_vars
\* I6
FencesGrow == [][IsNew => rec'["work"].fen > seq]_vars

\* I8, for an owner in whose place an operator has ended the work: only a new grant, an operator or the end of the record changes it again.
ForcedStays ==
  [][(Work.own = "operator" /\ rec'["work"] # Work) =>
       (\/ rec'["work"].st = "PENDING" /\ rec'["work"].fen > Work.fen
        \/ rec'["work"].st = "ABSENT"
        \/ \E act \in {"force", "reopen", "repeat", "setback"} : left'[act] < left[act])]_vars
ForcedFencesGrow == [][left'["force"] < left["force"] => rec'["work"].fen > Work.fen]_vars

\* L1: once told, done or a dead letter; and no copy stays at the broker or with a worker for ever.
Progress == (cli = "told") ~> (eff >= 1 \/ dead >= 1)
Drains == (cli = "told") ~> (queue = 0 /\ ~InFlight)
\* The client is told at last, where the budget leaves it enough publishes.
Answered == <>(cli = "told")

\* Must be violated: the configuration can reach the end of the story at all.
NeverDone == ~(cli = "told" /\ Quiet /\ eff = 1 /\ Work.st = "COMPLETED" /\ out)
NeverDead == ~(cli = "told" /\ Quiet /\ dead >= 1 /\ Work.st = "REJECTED")
NeverReopened == ~(cli = "told" /\ Quiet /\ eff = 1 /\ left["reopen"] < Budget["reopen"] /\ Work.st = "COMPLETED")
NeverForced ==
  ~(cli = "told" /\ Quiet /\ eff = 1 /\ left["force"] < Budget["force"] /\ Work.st = "COMPLETED" /\ Work.own # "operator")
NeverParked == ~(cli = "told" /\ Quiet /\ Work.st = "REJECTED" /\ Work.own = "parked" /\ dead >= 1)
NeverReconciled == ~(cli = "told" /\ Quiet /\ eff = 1 /\ left["crash"] < Budget["crash"] /\ Work.st = "COMPLETED")
NeverRebuilt == ~(cli = "told" /\ Quiet /\ eff = 1 /\ left["rebuild"] < Budget["rebuild"] /\ out)
\* A copy was granted what its owner had given back, and the work was done all the same.
NeverCopied ==
  ~(cli = "told" /\ Quiet /\ eff = 1 /\ Work.st = "COMPLETED" /\ left["fail"] < Budget["fail"] /\ left["copy"] < Budget["copy"] /\ Work.fen = 3)
\* A commit took effect, and FAIL was written.
NeverUnknown == ~(cli = "told" /\ ~InFlight /\ row /\ Work.st = "FAILED" /\ left["unknown"] < Budget["unknown"])
NeverSetBack == ~(cli = "told" /\ Quiet /\ eff = 1 /\ Work.st = "COMPLETED" /\ left["setback"] < Budget["setback"] /\ Work.fen = 2)
\* The work sent its message back, and a later attempt did it.
NeverSentBack == ~(cli = "told" /\ Quiet /\ eff = 1 /\ Work.st = "COMPLETED" /\ left["sendback"] < Budget["sendback"])
NeverForcedDone == ~(cli = "told" /\ Quiet /\ Work.st = "COMPLETED" /\ Work.own = "operator")

Interchangeable == Permutations(Gateways) \cup Permutations(Workers)
=============================================================================
