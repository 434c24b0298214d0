package io.idem.workshop.chaos;

import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.check.Ledger;
import io.idem.workshop.chaos.check.LedgerRow;
import io.idem.workshop.chaos.check.Promise;
import io.idem.workshop.chaos.check.Stories;
import io.idem.workshop.chaos.fault.Blow;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.FaultRecord;
import io.idem.workshop.chaos.fault.Faults;
import io.idem.workshop.chaos.load.ClientLog;
import io.idem.workshop.chaos.load.Load;
import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.stage.Death;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** A phase: load under faults of one class, then repair, then a wait until all work has ended. */
final class Phase {

    /** Maximum wait for the end of all work. Generous, because a shared machine may only be slow. */
    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(5);

    private static final Duration GOES_ON_WITHIN = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 200;
    private static final int LONGEST_GAP_MILLIS = 500;

    private final Stage stage;
    private final ChaosOptions options;
    private final FaultClass faultClass;
    private final String prefix;
    private final Random random;
    private final Duration drainedWithin;
    private final Stories stories;
    private final long storiesFrom;
    private final Aftermath aftermath;
    private final int earlier;
    private final List<FaultRecord> faults = new ArrayList<>();
    private int missed;

    /**
     * The result of a phase.
     *
     * @param store store of the workers
     * @param faultClass class of its faults
     * @param prefix prefix of its keys
     * @param promises promises made to clients
     * @param faults faults that were injected
     * @param missed number of faults that could not be injected because their moment did not come
     * @param seconds duration of the load
     * @param drainMillis time from the end of the load to the end of all work
     * @param drained whether all work ended in time
     * @param storiesFrom position in the log of stories at which the phase began
     * @param deaths kills of workers until the end of the phase
     */
    record Outcome(
            StoreKind store,
            FaultClass faultClass,
            String prefix,
            List<Promise> promises,
            List<FaultRecord> faults,
            int missed,
            double seconds,
            long drainMillis,
            boolean drained,
            long storiesFrom,
            List<Death> deaths) {

        String text() {
            return String.format(
                    "%s: %d messages, %d faults (%d missed) in %.0f s, drained in %d ms%s",
                    faultClass.id(),
                    promises.size(),
                    faults.size(),
                    missed,
                    seconds,
                    drainMillis,
                    drained ? "" : ", NOT QUIET");
        }
    }

    Phase(Stage stage, ChaosOptions options, FaultClass faultClass, String prefix, Stories stories, int earlier) {
        this(stage, options, faultClass, prefix, stories, earlier, DRAINED_WITHIN);
    }

    /** Creates a phase with a shorter wait at its end, for flaws that are known to leave work unfinished. */
    Phase(
            Stage stage,
            ChaosOptions options,
            FaultClass faultClass,
            String prefix,
            Stories stories,
            int earlier,
            Duration drainedWithin) {
        this.stage = stage;
        this.options = options;
        this.faultClass = faultClass;
        this.prefix = prefix;
        this.random = new Random(options.seed() * 1_000_003 + prefix.hashCode());
        this.drainedWithin = drainedWithin;
        this.stories = stories;
        this.storiesFrom = stories.end();
        this.aftermath = new Aftermath(
                new Ledger(stage.backends().ledger()),
                stories,
                stage.store().lanes().size(),
                goesOnWithin());
        this.earlier = earlier;
    }

    private Duration goesOnWithin() {
        return drainedWithin.compareTo(GOES_ON_WITHIN) < 0 ? drainedWithin : GOES_ON_WITHIN;
    }

    Outcome run(ClientLog log) {
        long start = System.nanoTime();
        try (Load load = new Load(
                stage.entrance(), stage.store().lanes(), log, prefix, options.rate(faultClass), random.nextLong())) {
            strike(load);
            Waiting.until(longest(), () -> load.messages() >= options.messages(faultClass));
            stage.heal();
            load.stop();
            double seconds = seconds(start);
            List<Promise> promises = promises(load);
            long end = System.nanoTime();
            boolean drained = await(() -> isQuiet(promises));
            long drainMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - end);
            return new Outcome(
                    stage.store(),
                    faultClass,
                    prefix,
                    promises,
                    List.copyOf(faults),
                    missed,
                    seconds,
                    drainMillis,
                    drained,
                    storiesFrom,
                    stage.crew().deaths());
        }
    }

    /**
     * Returns the maximum duration of the load: clients that get no answers post nothing new, so the number of messages
     * may never be reached.
     */
    private Duration longest() {
        return DRAINED_WITHIN.plusSeconds(2L * options.messages(faultClass) / options.rate(faultClass));
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private void strike(Load load) {
        Waiting.until(
                DRAINED_WITHIN,
                () -> load.messages() >= Math.min(options.rate(faultClass), options.messages(faultClass)));
        int wanted = options.faults(faultClass);
        while (faults.size() < wanted && missed <= wanted) {
            strikeOnce(load);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_GAP_MILLIS)));
        }
    }

    private void strikeOnce(Load load) {
        long before = stories.end();
        Blow blow = new Blow(stage, load, random, options.seed(), earlier + faults.size() + missed);
        Optional<FaultRecord> fault = Faults.strike(faultClass, blow);
        if (fault.isEmpty()) {
            missed++;
            return;
        }
        faults.add(fault.get());
        aftermath.await(fault.get(), before);
    }

    private static List<Promise> promises(Load load) {
        return load.stories().stream()
                .map(story -> new Promise(story.lane().id(), story.key(), story.accepted(), story.differentAnswers()))
                .toList();
    }

    private boolean await(BooleanSupplier condition) {
        long end = System.nanoTime() + drainedWithin.toNanos();
        while (System.nanoTime() - end < 0) {
            if (condition.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
        return false;
    }

    private boolean isQuiet(List<Promise> promises) {
        Backends backends = stage.backends();
        return stage.store().lanes().stream().allMatch(lane -> left(backends, lane) == 0) && kept(promises);
    }

    static long left(Backends backends, Lane lane) {
        return lane.rabbit()
                ? backends.rabbit().depth(lane.id())
                : backends.topics().lag(lane);
    }

    /** Returns whether every promise has an effect or a dead letter. */
    private boolean kept(List<Promise> promises) {
        Set<String> done = new Ledger(stage.backends().ledger())
                .rows(prefix).stream().map(LedgerRow::key).collect(Collectors.toCollection(HashSet::new));
        List<Promise> missing = promises.stream()
                .filter(Promise::accepted)
                .filter(promise -> !done.contains(promise.key()))
                .toList();
        if (missing.isEmpty()) {
            return true;
        }
        done.addAll(deadKeys(stage.backends()));
        return missing.stream().allMatch(promise -> done.contains(promise.key()));
    }

    static List<String> deadKeys(Backends backends) {
        List<String> dead = new ArrayList<>(backends.rabbit().deadKeys());
        dead.addAll(backends.topics().deadKeys());
        return List.copyOf(dead);
    }
}
