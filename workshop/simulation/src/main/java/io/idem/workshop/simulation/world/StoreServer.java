package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.workshop.simulation.check.Names;
import io.idem.workshop.simulation.check.RunLog;
import io.idem.workshop.simulation.check.Transitions;
import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The store as a server: the reference store with its own clock, which may lose records and may stop answering. */
final class StoreServer {

    private static final Instant BIRTH = Instant.ofEpochSecond(1_700_000_000);

    private final World world;
    private final Transitions transitions;
    private final List<Entry> log = new ArrayList<>();
    private IdempotencyStore store;
    private @Nullable Instant rebuilding;
    private long clockOffset;
    private long silentUntil;

    StoreServer(World world) {
        this.world = world;
        this.transitions = new Transitions(world.history());
        this.store = fresh();
    }

    private IdempotencyStore fresh() {
        return world.setup().flaw().inStore(new InMemoryIdempotencyStore(this::time), this::time);
    }

    private Instant time() {
        Instant rebuilt = rebuilding;
        return rebuilt == null ? BIRTH.plusNanos(world.kernel().now() + clockOffset) : rebuilt;
    }

    boolean silent() {
        return world.kernel().now() < silentUntil;
    }

    void silence(long nanos) {
        silentUntil = world.kernel().now() + nanos;
    }

    void speak() {
        silentUntil = 0;
    }

    void jump(long nanos) {
        clockOffset += nanos;
        world.history().clockJumped();
    }

    /** Executes an acquire, even if its caller has died or given up. */
    Claim acquire(AcquireRequest request, Machine by, boolean ghost) {
        RecordId record = request.record();
        Optional<RecordSnapshot> before = look(record);
        Instant at = time();
        Claim claim = run(record, into -> into.acquire(request));
        world.trace(
                "store: acquire " + Names.of(record) + " by " + by + (ghost ? " (ghost)" : "") + " -> " + told(claim));
        Optional<RecordSnapshot> after = store.inspect(record);
        world.log().acquired(request, world.attempts().of(request.owner()), claim, new RunLog.Seen(before, at, after));
        transitions.acquired(
                request, claim, before, after, new Transitions.Asked(by, at, ghost || cameLate(request, by)));
        return claim;
    }

    /**
     * Returns whether the caller stood still after its request, so that it may consider the lease too old and let it
     * expire.
     */
    private boolean cameLate(AcquireRequest request, Machine by) {
        return by.frozenUntil() > world.kernel().now() - request.lease().toNanos();
    }

    private static String told(Claim claim) {
        return claim instanceof Claim.Granted granted
                ? granted.kind() + " fence " + granted.lease().fence() + " attempt "
                        + granted.lease().attempt()
                : claim.getClass().getSimpleName();
    }

    /** Executes a record update, even if its caller has died or given up. */
    StoreAnswer update(RecordUpdate request, Machine by) {
        RecordId record = request.lease().record();
        Optional<RecordSnapshot> before = look(record);
        Instant at = time();
        StoreAnswer answer = run(record, into -> into.update(request));
        world.trace("store: " + request.getClass().getSimpleName() + " " + Names.of(record) + " by " + by + " -> "
                + (answer instanceof StoreAnswer.Lost lost
                        ? "Lost " + lost.state()
                        : answer.getClass().getSimpleName()));
        Optional<RecordSnapshot> after = store.inspect(record);
        world.log()
                .updated(
                        request,
                        world.attempts().of(request.lease().owner()),
                        answer,
                        new RunLog.Seen(before, at, after));
        transitions.settled(request, answer, before, after);
        return answer;
    }

    private Optional<RecordSnapshot> look(RecordId record) {
        Optional<RecordSnapshot> found = store.inspect(record);
        transitions.before(record, found);
        return found;
    }

    private <T> T run(RecordId record, Function<IdempotencyStore, T> transition) {
        log.add(new Entry(world.kernel().now(), time(), record, transition));
        return transition.apply(store);
    }

    Optional<RecordSnapshot> inspect(RecordId record) {
        return store.inspect(record);
    }

    /** Loses one record. */
    void lose(RecordId record) {
        world.trace("store: forgets " + Names.of(record));
        rebuild(entry -> !entry.record.equals(record));
    }

    /** Loses all changes of the latest period, also if its own clock has jumped meanwhile. */
    void goBack(Duration by) {
        long limit = world.kernel().now() - by.toNanos();
        world.trace("store: goes on from what it was " + by.toMillis() + " ms ago");
        rebuild(entry -> entry.nanos <= limit);
    }

    private void rebuild(Predicate<Entry> kept) {
        List<RecordId> touched =
                log.stream().filter(kept.negate()).map(Entry::record).distinct().toList();
        touched.forEach(transitions::lost);
        log.removeIf(kept.negate());
        store = fresh();
        for (Entry entry : log) {
            rebuilding = entry.at;
            var unused = entry.transition.apply(store);
        }
        rebuilding = null;
        touched.forEach(
                record -> world.log().fault(record, new RunLog.Seen(Optional.empty(), time(), store.inspect(record))));
    }

    /** Returns the records that were written since the start or since their loss. */
    List<RecordId> records() {
        return log.stream().map(Entry::record).distinct().toList();
    }

    /**
     * An executed call.
     *
     * @param nanos its virtual time
     * @param at its time by the server's clock
     */
    private record Entry(long nanos, Instant at, RecordId record, Function<IdempotencyStore, ?> transition) {}
}
