package io.idem.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
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

    /**
     * Returns whether Spring's scheduler itself calls a method of a bean on this thread; not where another scheduled method calls it, which
     * would take it for done.
     */
    static boolean isCalling(Method method) {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> calledByScheduler(frames.iterator()))
                .filter(called -> called.getMethodName().equals(method.getName()))
                .map(StackWalker.StackFrame::getDeclaringClass)
                .filter(type ->
                        Proxy.isProxyClass(type) || method.getDeclaringClass().isAssignableFrom(type))
                .isPresent();
    }

    /** Returns the method that the scheduler calls; empty on another thread. */
    private static Optional<StackWalker.StackFrame> calledByScheduler(Iterator<StackWalker.StackFrame> frames) {
        StackWalker.StackFrame called = frames.next();
        while (frames.hasNext()) {
            StackWalker.StackFrame caller = frames.next();
            if (caller.getDeclaringClass() == ScheduledMethodRunnable.class) {
                return Optional.of(called);
            }
            called = caller;
        }
        return Optional.empty();
    }
}
