package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.servers.junit.LinesNameTheirRecord;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.OutgoingTransport;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationTextPublisher;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** An executor on a scripted store, and what its tests have in common. */
@ExtendWith(LinesNameTheirRecord.class)
public abstract class ExecutorFixture {

    static final Duration LEASE = Duration.ofMinutes(10);
    public static final StoredResult RECEIPT = StoredResult.of("text", "receipt".getBytes(StandardCharsets.UTF_8));

    /** A registry whose observations are disabled, as by {@code management.observations.enable.all=false}. */
    static ObservationRegistry disabled() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig()
                .observationHandler(new ObservationTextPublisher())
                .observationPredicate((name, context) -> false);
        return registry;
    }

    /** A heartbeat so slow that it never beats in a test. */
    public static final ExecutionPolicy POLICY = ExecutionPolicy.of(LEASE, Duration.ofHours(24));

    public final ScriptedStore scripted = new ScriptedStore();
    public final IdempotencyStore store = scripted.store();
    final List<IdempotencyEvent> events = new CopyOnWriteArrayList<>();
    public final List<OutgoingTransport> transports = new CopyOnWriteArrayList<>();
    public final IdempotentExecutor executor = IdempotentExecutor.on(store)
            .transports(() -> transports)
            .listeners(List.of(events::add))
            .clock(scripted.clock())
            .build();
    public final Operation operation = Operation.of(IdempotencyKey.of("k-1"), new Scope("payments"), POLICY);

    @AfterEach
    void close() {
        executor.close();
    }

    static WorkResult<String> done() {
        return new WorkResult.Complete<>("charged", RECEIPT);
    }

    Outcome<String> run(Work<String> work) throws Exception {
        return executor.execute(operation, work);
    }

    RecordSnapshot record() {
        return scripted.memory().inspect(operation.record()).orElseThrow();
    }

    /** Another owner's grant of the same record, past the scripted failures. */
    Lease someoneElsesLease() {
        return ((Claim.Granted) someoneElsesClaim()).lease();
    }

    /** Acquires the same record for another owner, past the scripted failures, and returns the answer. */
    Claim someoneElsesClaim() {
        AcquireRequest request = new AcquireRequest(
                operation.record(),
                OwnerToken.random(new SecureRandom()),
                LEASE,
                Duration.ofHours(24),
                Fingerprint.NONE,
                0,
                0);
        return scripted.memory().acquire(request);
    }

    /** The owner's heartbeat may renew the lapsed lease before anybody else comes: then it lapses again. */
    Lease takenOver() {
        while (true) {
            scripted.advance(LEASE);
            if (someoneElsesClaim() instanceof Claim.Granted granted) {
                return granted.lease();
            }
        }
    }

    <E extends IdempotencyEvent> List<E> eventsOf(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
