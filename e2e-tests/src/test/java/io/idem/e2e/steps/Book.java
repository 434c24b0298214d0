package io.idem.e2e.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.child.StepsMain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Calls and questions that the provider got under one key of work, from all processes. Thread-safe. */
public final class Book {

    private final List<Stop> stops;
    private final List<String> arrivals = new ArrayList<>();
    private final List<Landing> landings = new ArrayList<>();
    private final List<String> repeated = new ArrayList<>();
    private final List<Stop> kills = new ArrayList<>();
    private @Nullable Stop heldAt;
    private CountDownLatch death = new CountDownLatch(1);

    Book(List<Stop> stops) {
        this.stops = new ArrayList<>(stops);
    }

    /** Acts, and returns the answer; empty if the caller was killed before. */
    Optional<String> take(String what, String stepKey) throws InterruptedException {
        arrived(what);
        if (dies(new Stop(what, false))) {
            return Optional.empty();
        }
        String reference = landed(what, stepKey);
        return dies(new Stop(what, true)) ? Optional.empty() : Optional.of(reference);
    }

    private synchronized void arrived(String what) {
        if (isRemembered(what)) {
            repeated.add(what);
        }
        arrivals.add(what);
    }

    private boolean isRemembered(String what) {
        return (what.equals(StepsMain.CHARGE) && arrivals.contains(StepsMain.CHARGED))
                || (what.equals(StepsMain.LABEL) && arrivals.contains(StepsMain.LABELLED));
    }

    private synchronized String landed(String what, String stepKey) {
        landings.add(new Landing(what, stepKey));
        return what + " " + landings.size();
    }

    /** Returns the reference of what was done under the key of a step. */
    synchronized Optional<String> find(String what, String stepKey) {
        int index = landings.indexOf(new Landing(what, stepKey));
        return index < 0 ? Optional.empty() : Optional.of(what + " " + (index + 1));
    }

    /** Waits for the death of the caller if it is to die here, and returns whether it was. */
    private boolean dies(Stop at) throws InterruptedException {
        CountDownLatch announced;
        synchronized (this) {
            if (!stops.contains(at)) {
                return false;
            }
            heldAt = at;
            announced = death;
        }
        announced.await();
        return true;
    }

    /** Returns whether the work is kept waiting. */
    public synchronized boolean isHeld() {
        return heldAt != null;
    }

    /** Notes that the process was killed; if the work was kept waiting, its call is forgotten. */
    public synchronized void killed() {
        if (heldAt != null) {
            stops.remove(heldAt);
            kills.add(heldAt);
            heldAt = null;
            death.countDown();
            death = new CountDownLatch(1);
        }
    }

    /** Returns where the processes of this work were killed. */
    public synchronized List<Stop> kills() {
        return List.copyOf(kills);
    }

    /** Checks the promises of steps, when the work is completed. */
    public synchronized void check() {
        assertThat(repeated).as("remembered steps that began again: %s", this).isEmpty();
        assertThat(landings(StepsMain.CHARGE))
                .as("charges that landed: %s", this)
                .isEqualTo(1);
        assertThat(landings(StepsMain.LABEL))
                .as("labels that landed: %s", this)
                .isBetween(1L, 1 + killsAt(Stop.LABEL_NOT_REMEMBERED::equals) + otherAttempts());
        for (String step : List.of(StepsMain.CHARGE, StepsMain.LABEL)) {
            assertThat(keys(step)).as("keys of %s: %s", step, this).hasSize(1);
            assertThat(arrivals.stream().filter(step::equals).count())
                    .as("calls of %s: %s", step, this)
                    .isLessThanOrEqualTo(1 + killsAt(kill -> kill.what().equals(step)) + otherAttempts());
        }
    }

    private long landings(String step) {
        return landings.stream().filter(landing -> landing.what().equals(step)).count();
    }

    private List<String> keys(String step) {
        return landings.stream()
                .filter(landing -> landing.what().equals(step))
                .map(Landing::stepKey)
                .distinct()
                .toList();
    }

    private long killsAt(Predicate<Stop> where) {
        return kills.stream().filter(where).count();
    }

    /** Returns how many attempts ended otherwise than by a kill or by the end of the work, as on a machine that stands still. */
    private long otherAttempts() {
        return attempts() - 1 - kills.size();
    }

    /** Returns how many attempts of the work have begun. */
    public synchronized long attempts() {
        return arrivals.stream().filter(StepsMain.BEGAN::equals).count();
    }

    @Override
    public synchronized String toString() {
        return "arrived " + arrivals + ", landed " + landings + ", killed at " + kills;
    }

    private record Landing(String what, String stepKey) {}
}
