package io.idem;

import static io.idem.internal.value.Arguments.require;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules that tell which failures of the work are final, by class of the exception. A rule also holds for subclasses and
 * for causes. If several match, the rule with the most specific class wins; among equals, the one that the outermost
 * exception matches. A failure without a rule may be retried. Immutable.
 *
 * <p>Exceptions of idem itself and interrupts, also as causes, are never final: they do not mean that the work failed.
 */
public final class FailurePolicy {

    /** The default without rules: every failure may be retried. */
    public static final FailurePolicy RETRY_ALL = new FailurePolicy(Map.of());

    /**
     * The longest reason in characters. A reason travels in message headers, and the table of all headers must fit into
     * one frame.
     */
    private static final int LONGEST_REASON = 1024;

    /** The number of causes that are searched, so that the search ends if causes form a cycle. */
    private static final int DEEPEST_CAUSE = 100;

    private final Map<Class<? extends Throwable>, Boolean> rejects;

    private FailurePolicy(Map<Class<? extends Throwable>, Boolean> rejects) {
        this.rejects = Map.copyOf(rejects);
    }

    /**
     * Returns a copy with further rules, which replace those for the same classes.
     *
     * @param rejectOn failures that are final
     * @param retryOn failures that may be retried
     * @throws IllegalArgumentException if a class is in both
     */
    public FailurePolicy with(
            Collection<? extends Class<? extends Throwable>> rejectOn,
            Collection<? extends Class<? extends Throwable>> retryOn) {
        Map<Class<? extends Throwable>, Boolean> rules = new LinkedHashMap<>(rejects);
        rejectOn.forEach(type -> rules.put(type, true));
        for (Class<? extends Throwable> type : retryOn) {
            require(
                    !rejectOn.contains(type),
                    "rejectOn has " + type.getName() + ", and retryOn has it too; remove one");
            rules.put(type, false);
        }
        return new FailurePolicy(rules);
    }

    /** Returns whether a failure is final: no retry can cure it. */
    public boolean rejects(Throwable failure) {
        if (rejects.isEmpty() || isNotNow(failure)) {
            return false;
        }
        Optional<Class<? extends Throwable>> rule = causes(failure)
                .flatMap(cause -> mostSpecific(cause).stream())
                .reduce((outer, inner) -> depth(inner) > depth(outer) ? inner : outer);
        return rule.map(type -> Boolean.TRUE.equals(rejects.get(type))).orElse(false);
    }

    /**
     * Returns whether a failure or one of its causes is an exception or a refusal of idem itself or an interrupt, which do
     * not mean that the work failed.
     */
    public static boolean isNotNow(Throwable failure) {
        return causes(failure)
                .anyMatch(cause -> cause instanceof IdempotencyException
                        || cause instanceof RefusedWorkException
                        || cause instanceof InterruptedException);
    }

    /**
     * Returns whether the failure of an asynchronous stage leaves open whether its work has ended. A
     * {@link TimeoutException} or {@link CancellationException} ends the stage, but not the work behind it. Exceptions
     * that stages wrap around a failure are looked through; other causes are not: an exception of the work that was
     * caused by a timeout elsewhere is a failure of the work.
     *
     * <p>For stages only: a method that throws a {@code TimeoutException} has ended.
     */
    public static boolean leavesStageOpen(Throwable failure) {
        Throwable own = unwrapped(failure);
        return own instanceof TimeoutException || own instanceof CancellationException;
    }

    /**
     * Returns the failure without the {@link CompletionException}s and {@link ExecutionException}s that stages and
     * futures wrap around it.
     */
    public static Throwable unwrapped(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = Objects.requireNonNull(inner.getCause());
        }
        return inner;
    }

    /**
     * Returns the reason that a record keeps of a final failure: its class and message, shortened to 1,024 characters. The
     * message may throw an exception of its own.
     */
    public static String reason(Throwable failure) {
        String message;
        try {
            message = failure.getMessage();
        } catch (RuntimeException noMessage) {
            message = "its message throws " + noMessage.getClass().getName();
        }
        return shortened(failure.getClass().getName() + ": " + message);
    }

    static String shortened(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON);
    }

    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEEPEST_CAUSE);
    }

    private Optional<Class<? extends Throwable>> mostSpecific(Throwable cause) {
        return rejects.keySet().stream()
                .filter(type -> type.isInstance(cause))
                .max(Comparator.comparingInt(FailurePolicy::depth));
    }

    /** Returns the number of classes between {@link Object} and a class. */
    private static int depth(Class<?> type) {
        return (int) Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .count();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FailurePolicy that && rejects.equals(that.rejects);
    }

    @Override
    public int hashCode() {
        return rejects.hashCode();
    }

    @Override
    public String toString() {
        return rejects.isEmpty() ? "retry all" : "rejects " + rejects;
    }
}
