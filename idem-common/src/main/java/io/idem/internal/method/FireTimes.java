package io.idem.internal.method;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/** The times of a schedule, on which all instances of an application agree whatever their clocks say to the second. Immutable. */
sealed interface FireTimes {

    /** Returns the time for which the schedule calls at {@code now}; empty if there is none yet. */
    Optional<Instant> current(Instant now);

    /**
     * The times of a cron expression. A call shortly before one of them is for that one, since timers may be early: by at most a tenth of
     * the distance to the time before, and a minute.
     */
    record Cron(CronExpression cron, ZoneId zone) implements FireTimes {

        private static final Duration EARLIEST = Duration.ofMinutes(1);
        private static final int EARLY_SHARE = 10;
        private static final Duration FIRST_STEP = Duration.ofSeconds(1);
        private static final Duration LONGEST_STEP = Duration.ofDays(10 * 366L);

        @Override
        public Optional<Instant> current(Instant now) {
            ZonedDateTime local = now.atZone(zone);
            ZonedDateTime next = cron.next(local);
            Optional<ZonedDateTime> last = last(local);
            boolean early = next != null && Duration.between(local, next).compareTo(earliness(last, next)) <= 0;
            return (early ? Optional.ofNullable(next) : last).map(ZonedDateTime::toInstant);
        }

        private static Duration earliness(Optional<ZonedDateTime> last, ZonedDateTime next) {
            return last.map(before -> Duration.between(before, next).dividedBy(EARLY_SHARE))
                    .filter(share -> share.compareTo(EARLIEST) < 0)
                    .orElse(EARLIEST);
        }

        /** Returns the last time until {@code now}, searched backwards in growing steps: cron expressions only look ahead. */
        private Optional<ZonedDateTime> last(ZonedDateTime now) {
            ZonedDateTime none = now;
            for (Duration step = FIRST_STEP; step.compareTo(LONGEST_STEP) < 0; step = step.multipliedBy(2)) {
                ZonedDateTime before = now.minus(step);
                if (firesBetween(before, now)) {
                    return Optional.ofNullable(lastBetween(before, none, now));
                }
                none = before;
            }
            return Optional.empty();
        }

        /** Halves the span until one second is left, in which there is one time at most. */
        private @Nullable ZonedDateTime lastBetween(ZonedDateTime some, ZonedDateTime none, ZonedDateTime now) {
            ZonedDateTime from = some;
            ZonedDateTime to = none;
            while (Duration.between(from, to).compareTo(FIRST_STEP) > 0) {
                ZonedDateTime middle = from.plus(Duration.between(from, to).dividedBy(2));
                if (firesBetween(middle, now)) {
                    from = middle;
                } else {
                    to = middle;
                }
            }
            return cron.next(from);
        }

        private boolean firesBetween(ZonedDateTime from, ZonedDateTime now) {
            ZonedDateTime next = cron.next(from);
            return next != null && !next.isAfter(now);
        }

        @Override
        public String toString() {
            return "cron \"" + cron + "\" in " + zone;
        }
    }

    /** The beginnings of periods of equal length, counted from 1970-01-01T00:00Z. */
    record Rate(Duration period) implements FireTimes {

        @Override
        public Optional<Instant> current(Instant now) {
            long millis = now.toEpochMilli();
            return Optional.of(Instant.ofEpochMilli(millis - Math.floorMod(millis, period.toMillis())));
        }

        @Override
        public String toString() {
            return "every " + period;
        }
    }

    /** The times of several schedules of one method. */
    record AnyOf(List<FireTimes> schedules) implements FireTimes {

        @Override
        public Optional<Instant> current(Instant now) {
            return schedules.stream()
                    .flatMap(schedule -> schedule.current(now).stream())
                    .max(Comparator.naturalOrder());
        }

        @Override
        public String toString() {
            return schedules.stream().map(FireTimes::toString).collect(Collectors.joining(" and "));
        }
    }
}
