package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.engine.Leases;
import io.idem.engine.MapInbox;
import io.idem.internal.operations.RecentEvents;
import io.idem.internal.operations.ShownRecord;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.operations.UnsentMessages;
import io.idem.spi.DeadLetterSource;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import io.idem.spi.StoreDecorator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

class IdempotencyEndpointTest {

    private static final Scope SCOPE = new Scope("payments");
    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k"), SCOPE);
    private static final SecurityContext ANNA = new SecurityContext() {
        @Override
        public Principal getPrincipal() {
            return () -> "anna";
        }

        @Override
        public boolean isUserInRole(String role) {
            return true;
        }
    };

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdemAutoConfiguration.class, IdemEndpointAutoConfiguration.class))
            .withBean(IdempotencyStore.class, () -> store)
            .withPropertyValues("idem.scopes.payments.retention=7d")
            .withBean("audit", Auditor.class, () -> new Auditor(audited));
    private final ApplicationContextRunner exposed = runner.withPropertyValues(
                    "management.endpoints.web.exposure.include=idempotency")
            .withPropertyValues("management.endpoints.jmx.exposure.include=idempotency");

    private record Auditor(List<AuditEvent> to) implements ApplicationListener<AuditApplicationEvent> {

        @Override
        public void onApplicationEvent(AuditApplicationEvent event) {
            to.add(event.getAuditEvent());
        }
    }

    @Test
    void itIsThereWhereItIsExposedOnly() {
        exposed.run(context -> assertThat(context).hasSingleBean(IdempotencyEndpoint.class));
        runner.run(context -> assertThat(context).doesNotHaveBean(IdempotencyEndpoint.class));
        exposed.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed());
        exposed.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasSingleBean(IdempotencyEndpoint.class));
    }

    @Test
    void anInboxThatNothingUsesIsNotCreatedForIt() {
        MapInbox used = new MapInbox();
        store.announce(SCOPE);
        lease();

        exposed.withBean("inbox", Inbox.class, () -> used, bean -> bean.setLazyInit(true))
                .run(context -> {
                    assertThat(report(context, "k", null).records()).hasSize(1);
                    assertThat(context.getBeanFactory().containsSingleton("inbox"))
                            .as("its table may be missing")
                            .isFalse();

                    context.getBean(Inbox.class);
                    assertThat(act(context, "complete").done()).isTrue();
                    assertThat(used.rows()).containsKey(RECORD);
                });
    }

    /** The filters for HTTP record a UUID in lower case, whatever its client wrote; listeners record it as it was sent. */
    @ParameterizedTest
    @CsvSource({
        "6F9619FF-8B86-D011-B42D-00C04FC964FF, 6f9619ff-8b86-d011-b42d-00c04fc964ff",
        "6F9619FF-8B86-D011-B42D-00C04FC964FF, 6F9619FF-8B86-D011-B42D-00C04FC964FF"
    })
    void aUuidInUpperCaseFindsTheRecordOfEitherSpelling(String asked, String recorded) {
        store.announce(SCOPE);
        Lease lease = Leases.take(store, new RecordId(IdempotencyKey.of(recorded), SCOPE));
        assertThat(lease).isNotNull();

        exposed.run(context -> {
            OperatorReport report = report(context, asked, null);
            assertThat(report.records()).hasSize(1);
            assertThat(report.keyId()).isEqualTo(IdempotencyKey.of(recorded).id());

            Object act = endpoint(context).act(ANNA, "release", asked, null, "payments", "why", null, null, null);
            assertThat(((OperatorReport.Act) act).done()).isTrue();
        });
    }

    @Test
    void aKeyIsShownInEveryScopeAndWithoutItsResult() {
        store.announce(SCOPE);
        store.complete(lease(), StoredResult.of("json", "secret".getBytes(StandardCharsets.UTF_8)));

        exposed.run(context -> {
            OperatorReport report = report(context, "k", null);

            assertThat(report.records()).hasSize(1);
            assertThat(report.records().get(0).state()).isEqualTo("completed");
            assertThat(report.toString()).contains("json[6 bytes]").doesNotContain("secret");
            assertThat(report(context, "k", "another-tenant").records()).isEmpty();
        });
    }

    @Test
    void whatAnOutboxHasNotSentIsShown() {
        UnsentMessages.Report unsent = new UnsentMessages.Report(
                List.of(new UnsentMessages.Waiting("north", "http.shop", 3, 90, true)),
                List.of(new UnsentMessages.Failing(
                        "north", "digest", "http.shop", 4, "kafka:gone", "no such topic", Instant.EPOCH)));

        exposed.withBean(UnsentMessages.class, () -> () -> unsent)
                .run(context -> assertThat(report(context, null, null).outbox()).containsExactly(unsent));
        exposed.run(context -> assertThat(report(context, null, null).outbox()).isEmpty());
    }

    @Test
    void theStepsOfAKeyAreShownWithoutTheirResults() {
        store.announce(SCOPE);
        Lease lease = lease();
        StoredResult secret = StoredResult.of("json", "secret".getBytes(StandardCharsets.UTF_8));
        remember(lease, "charge", Kind.BEGUN, StoredResult.NONE);
        remember(lease, "charge", Kind.DONE, secret);
        remember(lease, "label#2", Kind.DONE, StoredResult.OMITTED);
        remember(lease, "note", Kind.DONE, StoredResult.NONE);

        exposed.run(context -> {
            OperatorReport report = report(context, "k", null);

            assertThat(report.records())
                    .singleElement()
                    .satisfies(record -> assertThat(record.steps())
                            .containsExactly(
                                    new ShownRecord.Step("charge", "begun", 0, false, lease.fence()),
                                    new ShownRecord.Step("charge", "done", 6, true, lease.fence()),
                                    new ShownRecord.Step("label#2", "done", 0, false, lease.fence()),
                                    new ShownRecord.Step("note", "done", 0, true, lease.fence())));
            assertThat(report.toString()).doesNotContain("secret");
        });
    }

    private void remember(Lease lease, String id, Kind kind, StoredResult result) {
        var unused = store.update(
                new RecordUpdate.Remember(lease, lease.fence(), new RememberedStep(id, kind, lease.fence(), result)));
    }

    @Test
    void whatThisProcessKnowsIsShown() {
        exposed.run(context -> {
            context.getBean(ScopeRegistry.class).register(SCOPE, "a test");
            Lease others = lease();
            run(context);
            store.fail(others, Duration.ZERO);
            assertThatThrownBy(() -> context.getBean(IdempotentExecutor.class).execute(operation(), work -> {
                        throw new IllegalStateException("broken");
                    }))
                    .hasMessage("broken");
            lease();

            assertThat(run(context)).isInstanceOf(Outcome.InProgress.class);

            OperatorReport report = report(context, null, null);
            assertThat(report.scopes()).containsExactly("payments");
            assertThat(report.waiting())
                    .containsExactly(new OperatorReport.Waiting(RECORD.key().id(), "payments", 0, false));
            assertThat(report.failures())
                    .singleElement()
                    .satisfies(failure -> assertThat(failure.what()).isEqualTo("failed"));
        });
    }

    @Test
    void aFailedRecordSaysWhyItFailedWhatItsMomentIsAndWhatComesNext() {
        exposed.run(context -> {
            context.getBean(ScopeRegistry.class).register(SCOPE, "a test");
            store.announce(SCOPE);
            IdempotentExecutor executor = context.getBean(IdempotentExecutor.class);
            assertThatThrownBy(() -> executor.execute(operation(), work -> {
                        throw new IllegalStateException("account 4711 is closed");
                    }))
                    .hasMessage("account 4711 is closed");
            executor.execute(operation(), work -> new WorkResult.Release<>("no", Duration.ofMinutes(1), "status 503"));

            assertThat(report(context, "k", null).records()).singleElement().satisfies(record -> {
                assertThat(record.keyId()).isEqualTo(RECORD.key().id());
                assertThat(record.state()).isEqualTo("failed");
                assertThat(record.atIs()).isEqualTo("next-attempt");
                assertThat(record.next()).contains("runs", "given the message up", "dead letters");
                assertThat(record.seen())
                        .extracting(RecentEvents.Recent::why)
                        .containsExactly("status 503", "java.lang.IllegalStateException");
                assertThat(record.seen().toString()).doesNotContain("4711");
            });
        });
    }

    @ParameterizedTest
    @CsvSource({"pending, lease-end, takes over", "completed, settled, answered", "rejected, settled, reopens"})
    void theMomentOfARecordIsNamedByItsState(String state, String atIs, String next) {
        store.announce(SCOPE);
        Lease lease = lease();
        if (state.equals("completed")) {
            store.complete(lease, StoredResult.NONE);
        } else if (state.equals("rejected")) {
            store.reject(lease, "no");
        }

        exposed.run(context -> assertThat(report(context, "k", null).records())
                .singleElement()
                .satisfies(record -> {
                    assertThat(record.state()).isEqualTo(state);
                    assertThat(record.atIs()).isEqualTo(atIs);
                    assertThat(record.next()).contains(next);
                }));
    }

    @Test
    void aKeyWithoutARecordIsAnsweredWithWhatThatMayMean() {
        store.announce(SCOPE);

        exposed.run(context -> {
            assertThat(report(context, "k", null).note())
                    .contains("never seen", "retention is over", "under way", "makes its keys of fields");
            lease();
            assertThat(report(context, "k", null).note()).isNull();
        });
    }

    @Test
    void aReleasedKeyMayBeTriedAgainAndItsOldOwnerIsRefused() {
        Lease lease = lease();

        exposed.run(context -> {
            assertThat(act(context, "release"))
                    .isEqualTo(new OperatorReport.Act("release", "pending", true, null, null));

            assertThat(store.complete(lease, StoredResult.NONE)).isInstanceOf(StoreAnswer.Lost.class);
            assertThat(run(context)).isInstanceOf(Outcome.Executed.class);
        });
    }

    @Test
    void workThatAPersonCallsDoneIsNotRunAgain() {
        lease();

        exposed.run(context -> {
            assertThat(act(context, "complete").done()).isTrue();

            assertThat(run(context)).isEqualTo(new Outcome.Replayed<>(StoredResult.OMITTED));
        });
    }

    @Test
    void workThatFailedForGoodIsOpenedAgainAndFinishedWorkIsNot() {
        store.reject(lease(), "no");

        exposed.run(context -> {
            assertThat(act(context, "release").done()).isFalse();
            assertThat(act(context, "reopen"))
                    .isEqualTo(new OperatorReport.Act("reopen", "rejected", true, null, null));
            assertThat(run(context)).isInstanceOf(Outcome.Executed.class);

            assertThat(act(context, "reopen"))
                    .isEqualTo(new OperatorReport.Act("reopen", "completed", false, null, null));
            assertThat(act(context, "release").done()).isFalse();
        });
    }

    @Test
    void everyActIsAuditedWithItsReasonWhateverBecameOfIt() {
        exposed.run(context -> {
            act(context, "release");

            assertThat(audited).singleElement().satisfies(event -> {
                assertThat(event.getPrincipal()).isEqualTo("anna");
                assertThat(event.getType()).isEqualTo("IDEMPOTENCY_RELEASE");
                assertThat(event.getData())
                        .containsEntry("record", RECORD.toString())
                        .containsEntry("reason", "ticket 7")
                        .containsEntry("found", "absent")
                        .containsEntry("done", false);
            });
        });
    }

    @Test
    void anAuditThatFailsDoesNotMakeAFailureOfTheAct() {
        lease();

        exposed.withBean(FullAuditor.class)
                .run(context -> assertThat(act(context, "release").done()).isTrue());

        assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.FAILED);
    }

    private static final class FullAuditor implements ApplicationListener<AuditApplicationEvent> {

        @Override
        public void onApplicationEvent(AuditApplicationEvent event) {
            throw new IllegalStateException("the table of the audit is full");
        }
    }

    @Test
    void whatIsNotUnderstoodIsRefusedAndChangesNothing() {
        lease();
        RecordSnapshot before = store.inspect(RECORD).orElseThrow();

        exposed.run(context -> {
            IdempotencyEndpoint endpoint = endpoint(context);
            assertRefused(act(endpoint, "release", "payments", " "), "Give a reason");
            assertRefused(act(endpoint, "release", "payments", null), "reason is missing");
            assertRefused(act(endpoint, "release", "payments", "a\nb"), "control character");
            assertRefused(act(endpoint, "explode", "payments", "why"), "\"explode\" is none of [");
            assertRefused(act(endpoint, "release", "No Scope", "why"), "No Scope");
            assertRefused(endpoint.report("", null), "key");
            assertRefused(endpoint.list("pending", null, null), "cannot be listed");
            assertRefused(endpoint.list("pending", null, "many"), "limit many is not a number");
            assertRefused(
                    endpoint.act(ANNA, "redrive", "k", null, "payments", "ticket 7", "dead", null, "many"),
                    "limit many is not a number");
        });
        assertThat(store.inspect(RECORD)).contains(before);
    }

    @Test
    void aDeadLetterIsRedrivenByTheSourceThatTheApplicationHas() {
        store.reject(lease(), "no");

        exposed.withBean(DeadLetterSource.class, OneLetter::new).run(context -> {
            IdempotencyEndpoint endpoint = endpoint(context);
            assertRefused(act(endpoint, "redrive", "payments", "ticket 7"), "");
            assertThat(endpoint.act(ANNA, "redrive", "k", null, "payments", "ticket 7", "dead", "pigeon", "5"))
                    .isEqualTo(new OperatorReport.Act(
                            "redrive",
                            "rejected",
                            true,
                            null,
                            new OperatorReport.Searched(5, "moved", "payments of dead", false)));
        });

        assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.FAILED);
        assertThat(audited)
                .extracting(AuditEvent::getType)
                .containsExactly("IDEMPOTENCY_REOPEN", "IDEMPOTENCY_REDRIVE");
    }

    @Test
    void workIsNotCalledDoneWhileARowOfTheApplicationsInboxKeepsItsMessages() {
        lease();
        MapInbox inbox = new MapInbox();
        inbox.rows()
                .put(
                        RECORD,
                        new Inbox.Effect(
                                StoredResult.NONE, List.of(new OutgoingMessage("rabbit", "receipts", new byte[] {1}))));

        exposed.withBean(Inbox.class, () -> inbox).run(context -> {
            OperatorReport.Act refused = act(context, "complete");

            assertThat(refused.done()).isFalse();
            assertThat(refused.why()).contains("1 message(s)", "Release the key");
        });

        assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void anApplicationWithoutBrokerRedrivesNothing() {
        store.reject(lease(), "no");

        exposed.run(context -> assertRefused(
                endpoint(context).act(ANNA, "redrive", "k", null, "payments", "why", "dead", null, null), ""));

        assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void recordsAreListedByStateAPageAtATime() {
        exposed.withBean(RecordLister.class, OneRecord::new).run(context -> {
            OperatorReport.Listing listing =
                    (OperatorReport.Listing) endpoint(context).list("pending", null, "5000");

            assertThat(listing.next()).isEqualTo("17");
            assertThat(listing.records())
                    .singleElement()
                    .satisfies(shown -> assertThat(shown.keyId()).isEqualTo("digest"));
            assertThat(endpoint(context).list("failed", null, null))
                    .isEqualTo(new OperatorReport.Listing(List.of(), "17"));
            assertRefused(endpoint(context).list("lost", null, null), "\"lost\" is none of [");
        });
    }

    @Test
    void whatFailsOtherwiseIsToldOfInWordsToo() {
        IdempotencyStore newer = new StoreDecorator(store) {
            @Override
            public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
                throw new UnreadableRecordException(new RecordId(key, SCOPE), "format version 9");
            }
        };
        DeadLetterSource silent = (DeadLetterSource) Proxy.newProxyInstance(
                DeadLetterSource.class.getClassLoader(), new Class<?>[] {DeadLetterSource.class}, (proxy, method, given) -> {
                    if (method.getName().equals("transport")) {
                        return "pigeon";
                    }
                    throw new UncheckedIOException("RabbitMQ did not answer", new IOException());
                });
        store.reject(lease(), "no");
        runner.withPropertyValues("management.endpoints.web.exposure.include=idempotency")
                .withBean("newer", IdempotencyStore.class, () -> newer, bean -> bean.setPrimary(true))
                .withBean(DeadLetterSource.class, () -> silent)
                .run(context -> {
                    assertUnanswered(endpoint(context).report("k", null), "cannot be read: format version 9");
                    assertUnanswered(
                            endpoint(context).act(ANNA, "redrive", "k", null, "payments", "why", "dead", null, null),
                            "RabbitMQ did not answer");
                });
    }

    private static void assertUnanswered(Object answer, String why) {
        assertThat(answer).isInstanceOfSatisfying(WebEndpointResponse.class, unanswered -> {
            assertThat(unanswered.getStatus()).isEqualTo(503);
            assertThat(String.valueOf(unanswered.getBody())).contains("why=", why);
        });
    }

    @Test
    void aStoreThatDoesNotAnswerIsToldOfInWords() {
        RecordLister silent = (RecordLister) Proxy.newProxyInstance(
                RecordLister.class.getClassLoader(), new Class<?>[] {RecordLister.class}, (proxy, method, given) -> {
                    if (method.getName().equals("list")) {
                        throw new StoreUnavailableException(
                                "Redis is away", Execution.NOT_EXECUTED, new IllegalStateException());
                    }
                    return null;
                });
        exposed.withBean(RecordLister.class, () -> silent)
                .run(context -> assertThat(endpoint(context).list("failed", null, null))
                        .isInstanceOfSatisfying(WebEndpointResponse.class, answer -> {
                            assertThat(answer.getStatus()).isEqualTo(503);
                            assertThat(answer.getBody()).isEqualTo(Map.of("why", "Redis is away"));
                        }));
    }

    @Test
    void anActInAScopeOfAnotherApplicationWouldShortenItsMemoryAndIsRefused() {
        RecordId foreign = new RecordId(RECORD.key(), new Scope("orders"));
        Lease lease = Leases.take(store, foreign);
        exposed.run(context -> {
            context.getBean(ScopeRegistry.class).register(SCOPE, "a test");

            for (String action : List.of("release", "complete", "reopen")) {
                assertRefused(
                        act(endpoint(context), action, "orders", "ticket 7"),
                        "no such scope; it has [payments]. Ask the application that has it, or set"
                                + " idem.scopes.orders.retention");
            }
            assertThat(act(context, "release").why()).isNull();
        });
        assertThat(store.complete(lease, StoredResult.NONE)).isInstanceOf(StoreAnswer.Ok.class);
    }

    @Test
    void aRecordInAScopeOfThisApplicationIsShownBeforeThatIsAnnouncedAgain() {
        exposed.run(context -> {
            lease();
            assertThat(report(context, "k", null).records()).isEmpty();

            context.getBean(ScopeRegistry.class).register(SCOPE, "a test");
            assertThat(report(context, "k", null).records()).hasSize(1);
        });
    }

    private static void assertRefused(Object answer, String why) {
        assertThat(answer).isInstanceOfSatisfying(WebEndpointResponse.class, refused -> {
            assertThat(refused.getStatus()).isEqualTo(400);
            assertThat(String.valueOf(refused.getBody())).contains("why=", why);
        });
    }

    private static IdempotencyEndpoint endpoint(ApplicationContext context) {
        return context.getBean(IdempotencyEndpoint.class);
    }

    private static OperatorReport report(ApplicationContext context, @Nullable String key, @Nullable String tenant) {
        return (OperatorReport) endpoint(context).report(key, tenant);
    }

    private static OperatorReport.Act act(ApplicationContext context, String action) {
        return (OperatorReport.Act) act(endpoint(context), action, "payments", "ticket 7");
    }

    private static Object act(IdempotencyEndpoint endpoint, String action, String scope, @Nullable String reason) {
        return endpoint.act(ANNA, action, "k", null, scope, reason, null, null, null);
    }

    private static Operation operation() {
        return Operation.of(RECORD.key(), SCOPE, ExecutionPolicy.defaults());
    }

    private static Outcome<String> run(ApplicationContext context) throws Exception {
        return context.getBean(IdempotentExecutor.class)
                .execute(operation(), work -> new WorkResult.Complete<>("done", StoredResult.NONE));
    }

    private Lease lease() {
        return Leases.take(store, RECORD);
    }

    private static final class OneLetter implements DeadLetterSource {

        @Override
        public String transport() {
            return "pigeon";
        }

        @Override
        public Search moveBack(Sought sought, BooleanSupplier permission) {
            return permission.getAsBoolean()
                    ? new Search.Moved(sought.limit(), sought.record().scope().name() + " of " + sought.from())
                    : new Search.Kept(1);
        }
    }

    private final class OneRecord implements RecordLister {

        @Override
        public Page list(String cursor, int most) {
            assertThat(most).isLessThanOrEqualTo(IdempotencyEndpoint.MOST);
            lease();
            RecordSnapshot pending = store.inspect(RECORD).orElseThrow();
            assertThat(pending.state()).isEqualTo(RecordState.PENDING);
            store.force(RECORD, pending.fence(), ForcedEnd.FAILED, Duration.ofHours(1));
            return new Page(List.of(new Listed("digest", pending)), "17");
        }

        @Override
        public void close() {}
    }
}
