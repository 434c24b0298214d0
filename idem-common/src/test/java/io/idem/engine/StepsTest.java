package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Admission;
import io.idem.AttemptPolicy;
import io.idem.DerivedKeys;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEvent.StepEnded;
import io.idem.IdempotencyEvent.StepEnded.How;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RunningOperation;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.servers.junit.LinesNameTheirRecord;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepException;
import io.idem.step.StepException.Problem;
import io.idem.step.StepFinding;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Steps, as the engine runs and remembers them. */
@ExtendWith({OutputCaptureExtension.class, LinesNameTheirRecord.class})
class StepsTest {

    private static final Scope SCOPE = new Scope("payments");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(LEASE, Duration.ofHours(1));
    private static final IdempotencyKey KEY = IdempotencyKey.of("order-1");
    private static final Operation OPERATION = Operation.of(KEY, SCOPE, POLICY);
    private static final Step<String> CHARGE = Step.of("charge", String.class);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(now::get);
    private final List<IdempotencyEvent> events = new ArrayList<>();
    private final RecordId record = new RecordId(KEY, SCOPE);
    private final List<StepContext> calls = new ArrayList<>();
    private Predicate<RecordUpdate> silent = update -> false;
    private final IdempotencyStore store = new PerRequestStore(memory) {
        @Override
        public StoreAnswer update(RecordUpdate update) {
            if (silent.test(update)) {
                throw new StoreUnavailableException(
                        "silent", StoreUnavailableException.Execution.UNKNOWN, new IOException("cut"));
            }
            return super.update(update);
        }
    };
    private final IdempotentExecutor executor =
            IdempotentExecutor.on(store).listeners(List.of(events::add)).build();

    @AfterEach
    void close() {
        executor.close();
    }

    private Outcome<String> run(Work<String> work) throws Exception {
        return executor.execute(OPERATION, work);
    }

    private Outcome<String> runFailing(Work<String> work) {
        try {
            return run(work);
        } catch (Exception failure) {
            return new Outcome.Released<>(failure.toString(), false);
        }
    }

    private String charge(StepContext step) {
        calls.add(step);
        return "receipt-" + calls.size();
    }

    private static WorkResult<String> done(String value) {
        return new WorkResult.Complete<>(value, StoredResult.NONE);
    }

    private List<How> ends() {
        return events.stream()
                .filter(StepEnded.class::isInstance)
                .map(event -> ((StepEnded) event).how())
                .toList();
    }

    /** Lets the owner die: another one takes over after its lease. */
    private void die(Work<String> work) {
        runFailing(attempt -> {
            work.run(attempt);
            throw new LeaseLostException(leaseOf(attempt));
        });
        now.updateAndGet(moment -> moment.plus(LEASE));
    }

    private static Lease leaseOf(IdempotencyContext attempt) {
        return ((Attempt) attempt).lease();
    }

    @Test
    void whatAStepReturnedIsNotDoneAgainAfterAFailure() throws Exception {
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("the ledger is away");
        });

        Outcome<String> second = run(attempt -> done(attempt.step(CHARGE, this::charge)));

        assertThat(second).isInstanceOf(Outcome.Executed.class);
        assertThat(((Outcome.Executed<String>) second).value()).isEqualTo("receipt-1");
        assertThat(calls).hasSize(1);
        assertThat(ends()).containsExactly(How.RAN, How.REMEMBERED);
    }

    @Test
    void whatAStepReturnedIsNotDoneAgainAfterATakeover() throws Exception {
        die(attempt -> done(attempt.step(CHARGE, this::charge)));

        Outcome<String> second = run(attempt -> done(attempt.step(CHARGE, this::charge)));

        assertThat(((Outcome.Executed<String>) second).value()).isEqualTo("receipt-1");
        assertThat(calls).hasSize(1);
    }

    @Test
    void aStepThatFailedRunsAgainUnderTheSameKey() throws Exception {
        runFailing(attempt -> done(attempt.step(CHARGE, step -> {
            calls.add(step);
            throw new IllegalStateException("declined for now");
        })));

        run(attempt -> done(attempt.step(CHARGE, this::charge)));

        assertThat(calls).extracting(StepContext::key).containsOnly(derived("charge"));
        assertThat(calls).extracting(StepContext::mayHaveRun).containsExactly(false, true);
        assertThat(ends()).containsExactly(How.FAILED, How.RAN);
    }

    private String derived(String id) {
        return DerivedKeys.derive(record.key().id(), SCOPE, "step", id);
    }

    @Test
    void anExceptionOfTheStepGoesOnUnchanged() {
        IOException away = new IOException("away");

        assertThatThrownBy(() -> run(attempt -> done(attempt.<String, IOException>step(CHARGE, step -> {
                    throw away;
                }))))
                .isSameAs(away);
    }

    @Test
    void stepsOfALoopAreToldApartByTheirItem() throws Exception {
        List<String> items = List.of("a", "b", "c");
        AtomicInteger crash = new AtomicInteger(2);
        Work<String> work = attempt -> {
            List<String> receipts = new ArrayList<>();
            for (String item : items) {
                receipts.add(attempt.step("charge", item, String.class, this::charge));
                if (crash.decrementAndGet() == 0) {
                    throw new IllegalStateException("crash");
                }
            }
            return done(String.join(",", receipts));
        };

        runFailing(work);
        Outcome<String> second = run(work);

        assertThat(((Outcome.Executed<String>) second).value()).isEqualTo("receipt-1,receipt-2,receipt-3");
        assertThat(calls).extracting(StepContext::key).doesNotHaveDuplicates().hasSize(3);
    }

    @Test
    void stepsMayBeReorderedAddedAndRemovedBetweenAttempts() throws Exception {
        Step<String> label = Step.of("label", String.class);
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            attempt.step(Step.of("gone", String.class), this::charge);
            throw new IllegalStateException("crash");
        });

        Outcome<String> second =
                run(attempt -> done(attempt.step(label, this::charge) + "," + attempt.step(CHARGE, this::charge)));

        assertThat(((Outcome.Executed<String>) second).value()).isEqualTo("receipt-3,receipt-1");
    }

    @Test
    void anItemOrKeyOfAStepWithHalfASurrogatePairIsRefused() {
        assertThatThrownBy(() -> CHARGE.item("\ud800"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The item of step \"charge\" has half a surrogate pair; send well-formed Unicode");
        assertThatThrownBy(() -> CHARGE.key("own-\udc00"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The key of step \"charge\" has half a surrogate pair; send well-formed Unicode");
    }

    @Test
    void aStepThatIsUsedTwiceIsRefused() {
        assertThatThrownBy(() -> run(attempt -> {
                    attempt.step(CHARGE, this::charge);
                    return done(attempt.step(CHARGE, this::charge));
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\"charge\"")
                .hasMessageContaining("item");
        assertThat(calls).hasSize(1);
    }

    @Test
    void aStepInsideAStepIsRefused() {
        assertThatThrownBy(() -> run(attempt ->
                        done(attempt.step(CHARGE, step -> attempt.step(Step.of("inner", String.class), this::charge)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\"inner\"")
                .hasMessageContaining("\"charge\"");
        assertThatThrownBy(() -> run(attempt -> done(attempt.step(
                        CHARGE,
                        step -> IdempotencyContext.current()
                                .orElseThrow()
                                .step(Step.of("inner", String.class), this::charge)))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void publishingInsideAStepIsRefused() throws Exception {
        run(attempt -> done(attempt.step(CHARGE, step -> {
            IdempotencyContext inside = IdempotencyContext.current().orElseThrow();
            assertThatThrownBy(() -> inside.publications().nextKey("topic"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("\"charge\"");
            assertThatThrownBy(() -> inside.publications().namedKey("topic", "name"))
                    .isInstanceOf(IllegalStateException.class);
            return "";
        })));
    }

    @Test
    void callsInsideAStepGetKeysOfTheirOwn() throws Exception {
        List<String> keys = new ArrayList<>();
        run(attempt -> {
            keys.add(attempt.publications().nextCallKey("stock").value());
            for (String item : List.of("a", "b")) {
                attempt.step("charge", item, String.class, step -> {
                    keys.add(IdempotencyContext.current()
                            .orElseThrow()
                            .publications()
                            .nextCallKey("stock")
                            .value());
                    return "";
                });
            }
            keys.add(attempt.publications().nextCallKey("stock").value());
            return done("");
        });

        assertThat(keys).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void aSkippedStepDoesNotChangeTheKeysOfLaterCalls() throws Exception {
        List<String> keys = new ArrayList<>();
        AtomicBoolean crash = new AtomicBoolean(true);
        Work<String> work = attempt -> {
            attempt.step(CHARGE, step -> {
                IdempotencyContext.current().orElseThrow().publications().nextCallKey("stock");
                return "";
            });
            keys.add(attempt.publications().nextCallKey("stock").value());
            if (crash.getAndSet(false)) {
                throw new IllegalStateException("crash");
            }
            return done("");
        };

        runFailing(work);
        run(work);

        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @Test
    void twoTenantsWithOneKeyUseTwoKeysAtTheProvider() throws Exception {
        for (String tenant : List.of("red", "blue")) {
            Operation operation = Operation.of(new IdempotencyKey(tenant, "1"), SCOPE, POLICY);
            executor.execute(operation, attempt -> done(attempt.step(CHARGE, this::charge)));
        }

        assertThat(calls).extracting(StepContext::key).doesNotHaveDuplicates().hasSize(2);
    }

    @Test
    void aKeyOfItsOwnTakesThePlaceOfTheDerivedOne() throws Exception {
        run(attempt -> done(attempt.step(CHARGE.key("order-1-charge"), this::charge)));

        assertThat(calls).extracting(StepContext::key).containsExactly("order-1-charge");
    }

    @Test
    void theReconcilerIsNotAskedInTheFirstAttempt() throws Exception {
        run(attempt -> done(attempt.step(
                CHARGE.reconciledBy(step -> {
                    throw new AssertionError("nobody may have done it");
                }),
                this::charge)));

        assertThat(calls).hasSize(1);
    }

    @Test
    void aStepThatTheReconcilerFoundIsNotDoneAndItsResultIsRemembered() throws Exception {
        runFailing(attempt -> {
            throw new IllegalStateException("time-out of the provider");
        });
        Step<String> found = CHARGE.reconciledBy(step -> StepFinding.done("found under " + step.key()));

        runFailing(attempt -> {
            attempt.step(found, this::charge);
            throw new IllegalStateException("crash");
        });
        Outcome<String> third = run(attempt -> done(attempt.step(CHARGE, this::charge)));

        assertThat(((Outcome.Executed<String>) third).value()).isEqualTo("found under " + derived("charge"));
        assertThat(calls).isEmpty();
        assertThat(ends()).containsExactly(How.FOUND, How.REMEMBERED);
    }

    @Test
    void aStepThatTheReconcilerDidNotFindRuns() throws Exception {
        die(attempt -> done(""));

        run(attempt -> done(attempt.step(CHARGE.reconciledBy(step -> StepFinding.notDone()), this::charge)));

        assertThat(calls).hasSize(1);
    }

    @Test
    void aFindingThatAPersonMustDecideRejectsTheRecordEvenIfTheWorkCarriesOn() throws Exception {
        die(attempt -> done(""));

        Outcome<String> second = run(attempt -> {
            assertThatThrownBy(() -> attempt.step(
                            CHARGE.reconciledBy(step -> StepFinding.reject("two charges found")), this::charge))
                    .isInstanceOfSatisfying(
                            StepException.class,
                            refused -> assertThat(refused.problem()).isEqualTo(Problem.REJECTED));
            return done("carried on");
        });

        assertThat(second).isEqualTo(new Outcome.Rejected<>("two charges found"));
        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.REJECTED);
        assertThat(calls).isEmpty();
    }

    @Test
    void aFindingThatMayChangeDefersTheAttemptAndTheKeyIsNotGivenBack() throws Exception {
        die(attempt -> done(""));

        Outcome<String> second =
                run(attempt -> done(attempt.step(CHARGE.reconciledBy(step -> StepFinding.askAgain()), this::charge)));

        assertThat(second).isInstanceOf(Outcome.InProgress.class);
        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.PENDING);
        assertThat(calls).isEmpty();
    }

    @Test
    void aReconcilerThatFailsDefersTheAttempt() throws Exception {
        die(attempt -> done(""));

        Outcome<String> second = run(attempt -> done(attempt.step(
                CHARGE.reconciledBy(step -> {
                    throw new IllegalStateException("the provider does not answer");
                }),
                this::charge)));

        assertThat(second).isInstanceOf(Outcome.InProgress.class);
        assertThat(ends()).containsExactly(How.UNDECIDED);
    }

    @Test
    void afterAStepHasEndedTheAttemptNoOtherStepBegins() throws Exception {
        die(attempt -> done(""));

        run(attempt -> {
            assertThatThrownBy(() -> attempt.step(CHARGE.reconciledBy(step -> StepFinding.askAgain()), this::charge))
                    .isInstanceOf(StepException.class);
            assertThatThrownBy(() -> attempt.step(Step.of("label", String.class), this::charge))
                    .isInstanceOf(StepException.class);
            return done("");
        });

        assertThat(calls).isEmpty();
    }

    @Test
    void aStepThatMustNotRunTwiceIsRejectedAfterItWasBegun() throws Exception {
        Step<String> mail = Step.of("mail", String.class).rejectedWhenUnknown();
        runFailing(attempt -> done(attempt.step(mail, step -> {
            calls.add(step);
            throw new IllegalStateException("time-out");
        })));

        Outcome<String> second = run(attempt -> done(attempt.step(mail, this::charge)));

        assertThat(second).isInstanceOf(Outcome.Rejected.class);
        assertThat(((Outcome.Rejected<String>) second).reason()).contains("\"mail\"");
        assertThat(calls).hasSize(1);
    }

    @Test
    void aStepThatWasNotBegunIsNotRejected() throws Exception {
        Step<String> mail = Step.of("mail", String.class).rejectedWhenUnknown();
        runFailing(attempt -> {
            throw new IllegalStateException("before the mail");
        });

        assertThat(run(attempt -> done(attempt.step(mail, this::charge)))).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    void aStepThatAPersonHasLookedAtRunsOnceMore() throws Exception {
        Step<String> mail = Step.of("mail", String.class).rejectedWhenUnknown();
        runFailing(attempt -> done(attempt.step(mail, step -> {
            throw new IllegalStateException("time-out");
        })));
        run(attempt -> done(attempt.step(mail, this::charge)));
        memory.reopen(record, memory.inspect(record).orElseThrow().fence(), Duration.ofHours(1));

        assertThat(run(attempt -> done(attempt.step(mail, this::charge)))).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    @SuppressWarnings("NullAway") // a step without a result returns null
    void aStepWithoutAResultIsRememberedToo() throws Exception {
        Step<String> nothing = Step.of("nothing", String.class);
        runFailing(attempt -> {
            attempt.step(nothing, step -> {
                calls.add(step);
                return null;
            });
            throw new IllegalStateException("crash");
        });

        Outcome<String> second =
                run(attempt -> done(String.valueOf(attempt.<String, RuntimeException>step(nothing, this::charge))));

        assertThat(((Outcome.Executed<String>) second).value()).isEqualTo("null");
        assertThat(calls).hasSize(1);
    }

    @Test
    void aResultThatCannotBeKeptCountsAsDoneAndRejectsTheNextAttempt() throws Exception {
        Step<Object> odd = Step.of("odd", Object.class);
        runFailing(attempt -> {
            attempt.step(odd, step -> {
                calls.add(step);
                return new Object();
            });
            throw new IllegalStateException("crash");
        });

        Outcome<String> second = run(attempt -> done(String.valueOf(attempt.step(odd, this::charge))));

        assertThat(second).isInstanceOf(Outcome.Rejected.class);
        assertThat(((Outcome.Rejected<String>) second).reason()).contains("result was not kept");
        assertThat(calls).hasSize(1);
        assertThat(ends()).containsExactly(How.RESULT_NOT_KEPT, How.REJECTED);
    }

    @Test
    void resultsThatDoNotFitBesideTheOthersAreNotKept() throws Exception {
        String long_ = "x".repeat(10_000);
        AtomicBoolean crash = new AtomicBoolean(true);
        Work<String> work = attempt -> {
            for (int i = 0; i < 3; i++) {
                attempt.step("big", i, String.class, step -> {
                    calls.add(step);
                    return long_;
                });
            }
            if (crash.getAndSet(false)) {
                throw new IllegalStateException("crash");
            }
            return done("");
        };

        runFailing(work);

        assertThat(run(work)).isInstanceOf(Outcome.Rejected.class);
        assertThat(calls).hasSize(3);
        assertThat(ends().subList(0, 3)).containsExactly(How.RAN, How.RAN, How.RESULT_NOT_KEPT);
    }

    @Test
    void moreStepsThanARecordRemembersAreRefusedBeforeTheyRun() {
        assertThatThrownBy(() -> run(attempt -> {
                    for (int i = 0; i <= StepMemory.MOST_STEPS; i++) {
                        attempt.step("item", i, String.class, this::charge);
                    }
                    return done("");
                }))
                .isInstanceOfSatisfying(
                        StepException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.TOO_MANY));
        assertThat(calls).hasSize(StepMemory.MOST_STEPS);
    }

    @Test
    void aResultOfAnotherTypeIsNotRunAgainAndIsRejectedByItsName() throws Exception {
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("crash");
        });

        Outcome<String> second = run(attempt -> {
            assertThatThrownBy(() -> attempt.step("charge", Integer.class, step -> 1))
                    .isInstanceOfSatisfying(
                            StepException.class,
                            refused -> assertThat(refused.problem()).isEqualTo(Problem.UNFIT));
            return done("caught");
        });

        assertThat(second)
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains("\"charge\"", "java.lang.Integer"));
        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void stepsThatWereRunAndAreNotAskedForAnyMoreAreNamedAtTheEndOfTheWork(CapturedOutput output) throws Exception {
        Step<String> mail = Step.of("mail", String.class).rejectedWhenUnknown();
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            attempt.step(Step.of("label", String.class), this::charge);
            return done(attempt.step(mail, step -> {
                throw new IllegalStateException("crash");
            }));
        });
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("crash again");
        });
        assertThat(output).as("work that fails has not ended").doesNotContain("has not asked for them");

        run(attempt -> {
            attempt.step(CHARGE, this::charge);
            return done(attempt.step("shipping-label", String.class, this::charge));
        });

        assertThat(output)
                .containsOnlyOnce("has not asked for them")
                .contains("ran the steps [label, mail] of " + record);
    }

    @Test
    void nothingIsSaidOfStepsThatAreAskedForOrNew(CapturedOutput output) throws Exception {
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("crash");
        });

        run(attempt -> {
            attempt.step("new", String.class, this::charge);
            return done(attempt.step(CHARGE, this::charge));
        });

        assertThat(output).doesNotContain("has not asked for them");
    }

    @Test
    void asynchronousWorkNamesThemToo(CapturedOutput output) throws Exception {
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("crash");
        });

        executor.async(Runnable::run)
                .execute(
                        OPERATION,
                        attempt -> attempt.stepAsync(
                                        Step.of("charged", String.class),
                                        step -> CompletableFuture.completedFuture(charge(step)))
                                .thenApply(StepsTest::done))
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);

        assertThat(output).contains("ran the steps [charge] of " + record);
    }

    @Test
    void aRenamedStepKeepsItsKeyAsItsOwn() throws Exception {
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("crash");
        });

        run(attempt -> done(
                attempt.step(Step.of("payment", String.class).key(calls.get(0).key()), this::charge)));

        assertThat(calls)
                .extracting(StepContext::key)
                .containsExactly(calls.get(0).key(), calls.get(0).key());
    }

    @Test
    void anOwnerThatLostItsLeaseInAStepDropsTheResult() throws Exception {
        List<Outcome<String>> second = new ArrayList<>();

        Outcome<String> first = run(attempt -> {
            attempt.step(CHARGE, step -> {
                calls.add(step);
                now.updateAndGet(moment -> moment.plus(LEASE));
                second.add(runFailing(other -> done(other.step(CHARGE, this::charge))));
                return "too late";
            });
            return done("first");
        });

        assertThat(first).isInstanceOf(Outcome.InProgress.class);
        assertThat(((Outcome.Executed<String>) second.get(0)).value()).isEqualTo("receipt-2");
        assertThat(ends()).containsExactly(How.RAN, How.LOST);
    }

    @Test
    void aResultIsStoredAgainUntilTheStoreAnswers() throws Exception {
        AtomicInteger left = new AtomicInteger(2);
        silent = update -> update instanceof RecordUpdate.Remember && left.getAndDecrement() > 0;

        assertThat(run(attempt -> done(attempt.step(CHARGE, this::charge)))).isInstanceOf(Outcome.Executed.class);
        assertThat(left.get()).isEqualTo(-1);
        assertThat(calls).hasSize(1);
    }

    @Test
    void aStoreThatStaysSilentDefersTheAttemptAndNoOtherStepBegins() throws Exception {
        AtomicBoolean alive = new AtomicBoolean(true);
        AtomicInteger nanos = new AtomicInteger();
        silent = update -> update instanceof RecordUpdate.Remember;
        IdempotentExecutor impatient = IdempotentExecutor.on(store)
                .clock(() -> alive.get()
                        ? nanos.incrementAndGet()
                        : Duration.ofDays(1).toNanos())
                .listeners(List.of(events::add))
                .build();
        try (impatient) {
            Outcome<String> outcome = impatient.execute(OPERATION, attempt -> {
                assertThatThrownBy(() -> attempt.step(CHARGE, step -> {
                            alive.set(false);
                            return charge(step);
                        }))
                        .isInstanceOf(StoreUnavailableException.class);
                assertThatThrownBy(() -> attempt.step(Step.of("label", String.class), this::charge))
                        .isInstanceOf(StepException.class);
                return done("carried on");
            });

            assertThat(outcome).isInstanceOf(Outcome.InProgress.class);
        }
        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.PENDING);
        assertThat(calls).hasSize(1);
        assertThat(ends()).containsExactly(How.LOST);
    }

    @Test
    void stepsThatCannotBeReadDeferTheAttempt() throws Exception {
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("crash");
        });
        silent = update -> update instanceof RecordUpdate.Recall;

        Outcome<String> outcome = run(attempt -> {
            try {
                return done(attempt.step(CHARGE, this::charge));
            } catch (StoreUnavailableException unanswered) {
                throw new IllegalStateException("no receipt", unanswered);
            }
        });

        assertThat(outcome).isEqualTo(new Outcome.InProgress<>(LEASE));
        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.FAILED);
        assertThat(run(attempt -> done(""))).isInstanceOf(Outcome.NotYet.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    void aFailureAfterAnUnansweredStepIsOneOfTheWork() {
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("crash");
        });
        silent = update -> update instanceof RecordUpdate.Recall;

        assertThatThrownBy(() -> run(attempt -> {
                    assertThatThrownBy(() -> attempt.step(CHARGE, this::charge))
                            .isInstanceOf(StoreUnavailableException.class);
                    throw new IllegalArgumentException("no such account");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.FAILED);
    }

    private static String noted(List<String> order, String what) {
        order.add(what);
        return what;
    }

    @Test
    void theResultIsStoredBeforeTheNextStepBegins() throws Exception {
        List<String> order = new ArrayList<>();
        silent = update -> {
            if (update instanceof RecordUpdate.Remember remember) {
                order.add("stored " + remember.step().id());
            }
            return false;
        };

        run(attempt -> {
            attempt.step(CHARGE, step -> noted(order, "ran charge"));
            attempt.step("label", String.class, step -> noted(order, "ran label"));
            return done("");
        });

        assertThat(order).containsExactly("ran charge", "stored charge", "ran label", "stored label");
    }

    @Test
    void aBeginningIsStoredBeforeTheStepThatMustNotRunTwice() throws Exception {
        List<String> order = new ArrayList<>();
        silent = update -> {
            if (update instanceof RecordUpdate.Remember remember) {
                order.add(remember.step().kind().name());
            }
            return false;
        };

        run(attempt -> done(attempt.step(CHARGE.rejectedWhenUnknown(), step -> noted(order, "ran"))));

        assertThat(order).containsExactly("BEGUN", "ran", "DONE");
    }

    @Test
    void workWithoutStepsAsksTheStoreNothingMore() throws Exception {
        List<String> updates = new ArrayList<>();
        silent = update -> !updates.add(update.name());
        runFailing(attempt -> {
            throw new IllegalStateException("crash");
        });

        run(attempt -> done(""));

        assertThat(updates).containsExactly("fail", "complete");
    }

    @Test
    void theFirstAttemptOfARecordReadsNothingAndLaterOnesReadOnce() throws Exception {
        List<String> updates = new ArrayList<>();
        silent = update -> !updates.add(update.name());
        AtomicBoolean crash = new AtomicBoolean(true);
        Work<String> work = attempt -> {
            attempt.step(CHARGE, this::charge);
            attempt.step("label", String.class, this::charge);
            if (crash.getAndSet(false)) {
                throw new IllegalStateException("crash");
            }
            return done("");
        };

        runFailing(work);
        run(work);

        assertThat(updates).containsExactly("remember", "remember", "fail", "recall", "complete");
    }

    @Test
    void stepsOfDifferentNamesMayRunAtTheSameTime() throws Exception {
        CountDownLatch both = new CountDownLatch(2);

        Outcome<String> outcome = run(attempt -> {
            List<CompletableFuture<String>> steps = new ArrayList<>();
            for (String name : List.of("left", "right")) {
                steps.add(CompletableFuture.supplyAsync(
                        () -> attempt.step(name, String.class, step -> {
                            both.countDown();
                            assertThat(await(both)).isTrue();
                            return name;
                        }),
                        task -> new Thread(task, name).start()));
            }
            return done(steps.get(0).join() + steps.get(1).join());
        });

        assertThat(((Outcome.Executed<String>) outcome).value()).isEqualTo("leftright");
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void asynchronousStepsAreRememberedToo() throws Exception {
        CompletableFuture<String> provider = new CompletableFuture<>();
        AsyncIdempotentExecutor async = executor.async(Runnable::run);
        CompletionStage<Outcome<String>> first = async.execute(
                OPERATION,
                attempt -> attempt.stepAsync(CHARGE, step -> {
                            calls.add(step);
                            return provider;
                        })
                        .thenApply(receipt -> {
                            throw new IllegalStateException("crash");
                        }));
        provider.complete("receipt");
        assertThat(first.toCompletableFuture()).failsWithin(Duration.ofMinutes(1));

        Outcome<String> second = async.execute(
                        OPERATION,
                        attempt -> attempt.stepAsync(CHARGE, step -> {
                                    calls.add(step);
                                    return provider;
                                })
                                .thenApply(StepsTest::done))
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);

        assertThat(((Outcome.Executed<String>) second).value()).isEqualTo("receipt");
        assertThat(calls).hasSize(1);
    }

    @Test
    void asynchronousStepsRunOnTheWorkersOfTheirExecutor() throws Exception {
        AsyncIdempotentExecutor async = executor.async(task -> new Thread(task, "worker").start());

        Outcome<String> outcome = async.execute(
                        OPERATION,
                        attempt -> attempt.stepAsync(
                                        CHARGE,
                                        step -> CompletableFuture.completedFuture(
                                                Thread.currentThread().getName()))
                                .thenApply(StepsTest::done))
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);

        assertThat(((Outcome.Executed<String>) outcome).value()).isEqualTo("worker");
    }

    @Test
    void anAsynchronousStepThatFailsIsNotRemembered() throws Exception {
        AsyncIdempotentExecutor async = executor.async(Runnable::run);
        assertThat(async.<String>execute(
                                OPERATION,
                                attempt -> attempt.stepAsync(
                                                CHARGE,
                                                step -> CompletableFuture.<String>failedFuture(new IOException("away")))
                                        .thenApply(StepsTest::done))
                        .toCompletableFuture())
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withCauseInstanceOf(IOException.class);

        assertThat(run(attempt -> done(attempt.step(CHARGE, this::charge)))).isInstanceOf(Outcome.Executed.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    void anExceptionOfAStepCountsAsTheFailureThatItsPolicySays() throws Exception {
        ExecutionPolicy policy = POLICY.withAttempts(AttemptPolicy.DEFAULT.withFailures(
                FailurePolicy.RETRY_ALL.with(List.of(IOException.class), List.of())));

        assertThatThrownBy(() -> executor.execute(
                        Operation.of(KEY, SCOPE, policy),
                        attempt -> done(attempt.<String, IOException>step(CHARGE, step -> {
                            throw new IOException("refused");
                        }))))
                .isInstanceOf(IOException.class);

        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void anAttemptThatIsAbandonedAfterAStepRejectedItIsRejected() {
        Step<String> mail = Step.of("mail", String.class).rejectedWhenUnknown();
        runFailing(attempt -> done(attempt.step(mail, step -> {
            throw new IllegalStateException("time-out");
        })));
        RunningOperation second = ((Admission.Granted<String>) executor.<String>begin(OPERATION)).operation();
        assertThatThrownBy(() -> second.call(attempt -> done(attempt.step(mail, this::charge))))
                .isInstanceOf(StepException.class);

        second.abandon();

        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.REJECTED);
        assertThat(calls).isEmpty();
    }

    @Test
    void workThatCatchesTheEndOfItsAttemptDoesNotReturn() {
        die(attempt -> done(""));
        RunningOperation second = ((Admission.Granted<String>) executor.<String>begin(OPERATION)).operation();

        assertThatThrownBy(() -> second.call(attempt -> {
                    assertThatThrownBy(() ->
                                    attempt.step(CHARGE.reconciledBy(step -> StepFinding.askAgain()), this::charge))
                            .isInstanceOf(StepException.class);
                    return done("carried on");
                }))
                .isInstanceOf(StepException.class);

        second.abandon();
        assertThat(memory.inspect(record).orElseThrow().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void noStepBeginsAfterItsWorkHasEnded() {
        List<IdempotencyContext> left = new ArrayList<>();
        runFailing(attempt -> {
            left.add(attempt);
            throw new IllegalStateException("another branch failed");
        });

        assertThatThrownBy(() -> left.get(0).step(CHARGE, this::charge))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has ended");
        assertThat(calls).isEmpty();
    }

    @Test
    void noStepBeginsAfterTheStoreHasSaidThatTheRecordIsLost() throws Exception {
        Outcome<String> first = run(attempt -> {
            assertThatThrownBy(() -> attempt.step(CHARGE, step -> {
                        memory.force(record, attempt.fence(), ForcedEnd.FAILED, Duration.ofHours(1));
                        return charge(step);
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(attempt.stillOwner()).isFalse();
            return done(attempt.step(Step.of("label", String.class), this::charge));
        });

        assertThat(first).isInstanceOf(Outcome.InProgress.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    @SuppressWarnings("NullAway") // the mistake under test
    void aReconcilerThatReturnsNullDefersTheAttempt() throws Exception {
        die(attempt -> done(""));

        Outcome<String> second = run(attempt -> done(attempt.step(CHARGE.reconciledBy(step -> null), this::charge)));

        assertThat(second).isInstanceOf(Outcome.InProgress.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void theCallsOfAReconcilerDoNotChangeTheKeysOfOtherCalls() throws Exception {
        List<String> keys = new ArrayList<>();
        Work<String> work = attempt -> {
            attempt.step(
                    CHARGE.reconciledBy(step -> {
                        IdempotencyContext.current()
                                .orElseThrow()
                                .publications()
                                .nextCallKey("stock");
                        return StepFinding.notDone();
                    }),
                    step -> {
                        keys.add(IdempotencyContext.current()
                                .orElseThrow()
                                .publications()
                                .nextCallKey("stock")
                                .value());
                        throw new IllegalStateException("time-out");
                    });
            return done("");
        };

        runFailing(work);
        runFailing(work);

        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @Test
    void aKeyThatEarlierVersionsReadOtherwiseGoesOnBehindItsSteps() throws Exception {
        Step<String> label = Step.of("label", String.class);
        AtomicInteger crashes = new AtomicInteger(1);
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            attempt.step(label, step -> {
                calls.add(step);
                throw new IllegalStateException("time-out");
            });
            return done("");
        });
        Work<String> work = attempt -> {
            String receipt = attempt.step(CHARGE, this::charge) + attempt.step(label, this::charge);
            if (crashes.getAndDecrement() > 0) {
                throw new IllegalStateException("crash");
            }
            return done(receipt);
        };
        Operation operation = Operation.of(IdempotencyKey.of("decoded").formerly(KEY), SCOPE, POLICY);
        assertThatThrownBy(() -> executor.execute(operation, work)).hasMessage("crash");

        Outcome<String> third = executor.execute(operation, work);

        assertThat(((Outcome.Executed<String>) third).value()).isEqualTo("receipt-1receipt-3");
        assertThat(calls).extracting(StepContext::id).containsExactly("charge", "label", "label");
        assertThat(calls.subList(1, 3)).extracting(StepContext::key).containsOnly(derived("label"));
    }

    @Test
    void aRetryThatUsesNoStepForgetsThoseOfTheAttemptsBefore() throws Exception {
        List<Boolean> forgotten = new ArrayList<>();
        runFailing(attempt -> {
            attempt.step(CHARGE, this::charge);
            throw new IllegalStateException("crash");
        });
        silent = update -> {
            if (update instanceof RecordUpdate.Complete complete) {
                forgotten.add(complete.forgetSteps());
            }
            return false;
        };

        run(attempt -> done(""));

        assertThat(forgotten).containsExactly(true);
    }
}
