package io.idem.demo.supervisor;

import io.idem.demo.report.Check;
import io.idem.demo.report.Consumer;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** Waits until no more effects can come, which must be so before missing ones count as lost. */
final class Quiescence {

    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(90);
    private static final Duration GIVE_UP_AFTER_EACH = Duration.ofMillis(100);

    /** A time longer than the lease, after which a delivery that waited for it has been handled. */
    private static final Duration SILENCE = Duration.ofMillis(3_500);

    private final Stage stage;
    private final Crashes crashes;
    private final Witness witness;
    private final Check check;
    private final Progress progress;

    Quiescence(Stage stage, Crashes crashes, Witness witness, Check check, Progress progress) {
        this.stage = stage;
        this.crashes = crashes;
        this.witness = witness;
        this.check = check;
        this.progress = progress;
    }

    /** Returns when it is reached, or after a time that is always enough: whatever is missing then is called lost. */
    void await(int operations) throws InterruptedException {
        progress.say("waiting until all is quiet");
        stage.workers().awaitReady();
        boolean reached = Poll.until(
                GIVE_UP_AFTER.plus(GIVE_UP_AFTER_EACH.multipliedBy(operations)),
                () -> is(crashes::allDone)
                        && is(this::workersAreSilent)
                        && is(this::brokersAreEmpty)
                        && is(this::everyPromiseIsKept));
        progress.say(reached ? "all is quiet" : "giving up waiting: something is still missing or under way");
    }

    private static boolean is(BooleanSupplier condition) {
        return condition.getAsBoolean();
    }

    private boolean workersAreSilent() {
        return stage.workers().events().silence().compareTo(SILENCE) > 0;
    }

    private boolean brokersAreEmpty() {
        return stage.clients().amqp().payments() == 0 && stage.clients().kafka().lag() == 0;
    }

    private boolean everyPromiseIsKept() {
        return Arrays.stream(Consumer.values())
                .allMatch(consumer ->
                        check.of(consumer, witness.effects(consumer)).lost().isEmpty());
    }
}
