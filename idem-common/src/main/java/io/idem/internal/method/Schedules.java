package io.idem.internal.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads the schedules of {@link Scheduled} methods.
 *
 * @param values resolves placeholders and bean expressions, as Spring does for these attributes
 */
record Schedules(StringValueResolver values) {

    /**
     * Returns the times of a method; empty if it has no schedule.
     *
     * @throws MethodConfigurationException if instances cannot agree on its times
     * @throws RuntimeException if an attribute cannot be read
     */
    Optional<FireTimes> of(Method method) {
        List<Scheduled> schedules = List.copyOf(AnnotatedElementUtils.getMergedRepeatableAnnotations(
                method, Scheduled.class, org.springframework.scheduling.annotation.Schedules.class));
        if (schedules.isEmpty()) {
            return Optional.empty();
        }
        List<FireTimes> times = schedules.stream()
                .flatMap(schedule -> times(method, schedule).stream())
                .toList();
        return Optional.of(times.size() == 1 ? times.get(0) : new FireTimes.AnyOf(times));
    }

    /** Returns the times of one schedule; empty if it is switched off. */
    private Optional<FireTimes> times(Method method, Scheduled schedule) {
        String cron = resolved(schedule.cron());
        if (StringUtils.hasText(cron)) {
            return cron.equals(Scheduled.CRON_DISABLED) ? Optional.empty() : Optional.of(cron(cron, schedule));
        }
        if (schedule.fixedRate() > 0) {
            return Optional.of(new FireTimes.Rate(
                    Duration.of(schedule.fixedRate(), schedule.timeUnit().toChronoUnit())));
        }
        String rate = resolved(schedule.fixedRateString());
        if (StringUtils.hasText(rate)) {
            return Optional.of(new FireTimes.Rate(
                    DurationStyle.detectAndParse(rate, schedule.timeUnit().toChronoUnit())));
        }
        throw new MethodConfigurationException(
                method,
                "has no key, and its @Scheduled gives it none: each instance has its own times with fixedDelay and"
                        + " initialDelay",
                "Schedule it by cron or fixedRate, or add a key");
    }

    private FireTimes cron(String cron, Scheduled schedule) {
        String zone = resolved(schedule.zone());
        return new FireTimes.Cron(
                CronExpression.parse(cron), StringUtils.hasText(zone) ? ZoneId.of(zone) : ZoneId.systemDefault());
    }

    private String resolved(String text) {
        String resolved = text.isEmpty() ? text : values.resolveStringValue(text);
        return resolved == null ? "" : resolved;
    }

    /** Returns whether Spring's scheduler calls on this thread. */
    static boolean isCalling() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                        .anyMatch("org.springframework.scheduling.support.ScheduledMethodRunnable"::equals));
    }
}
