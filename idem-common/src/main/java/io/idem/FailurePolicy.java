package io.idem;

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
 * Which failures of the work are final. By class: a rule holds for subclasses and for causes too, and the rule with the most
 * specific class wins; among equals the one that the outermost exception matches. Without a rule a failure may be retried.
 * Immutable.
 *
 * <p>Exceptions of idem itself and interrupts, also as causes, never are final: they say "not now".
 */
public final class FailurePolicy {

    /** The default: whatever happened, another attempt may succeed. */
    public static final FailurePolicy RETRY_ALL = new FailurePolicy(Map.of());

    /** Characters; a reason travels in message headers, whose table must fit one frame. */
    private static final int LONGEST_REASON = 1024;

    /** Ends the search in causes that go round in a circle. */
    private static final int DEEPEST_CAUSE = 100;

    private final Map<Class<? extends Throwable>, Boolean> rejects;

    private FailurePolicy(Map<Class<? extends Throwable>, Boolean> rejects) {
        this.rejects = Map.copyOf(rejects);
    }

    /**
     * The same with further rules, which replace those for the same class.
     *
     * @param rejectOn failures that no retry can cure
     * @param retryOn failures that a retry may cure
     * @throws IllegalArgumentException if a class is in both
     */
    public FailurePolicy with(
            Collection<? extends Class<? extends Throwable>> rejectOn,
            Collection<? extends Class<? extends Throwable>> retryOn) {
        Map<Class<? extends Throwable>, Boolean> rules = new LinkedHashMap<>(rejects);
        rejectOn.forEach(type -> rules.put(type, true));
        for (Class<? extends Throwable> type : retryOn) {
            if (rejectOn.contains(type)) {
                throw new IllegalArgumentException(type.getName() + " is both in rejectOn and in retryOn; remove one");
            }
            rules.put(type, false);
        }
        return new FailurePolicy(rules);
    }

    /** Whether no retry can cure a failure. */
    public boolean rejects(Throwable failure) {
        if (rejects.isEmpty() || isNotNow(failure)) {
            return false;
        }
        Optional<Class<? extends Throwable>> rule = causes(failure)
                .flatMap(cause -> mostSpecific(cause).stream())
                .reduce((outer, inner) -> depth(inner) > depth(outer) ? inner : outer);
        return rule.map(type -> Boolean.TRUE.equals(rejects.get(type))).orElse(false);
    }

    /** Whether a failure, or a cause of it, says "not now" rather than "failed": an exception of idem itself, or an interrupt. */
    public static boolean isNotNow(Throwable failure) {
        return causes(failure).anyMatch(FailurePolicy::saysNotNow);
    }

    /**
     * Whether the failure of an asynchronous stage proves nothing about its work: a {@link TimeoutException} or a
     * {@link CancellationException} ends the stage, but not what the stage stood for. Wrappings that stages put around a failure are
     * looked through, other causes are not: an exception of the work that was caused by a timeout elsewhere is a failure of the work.
     *
     * <p>About stages only: a method that throws a {@code TimeoutException} has come to its end.
     */
    public static boolean leavesStageOpen(Throwable failure) {
        Throwable own = unwrapped(failure);
        return own instanceof TimeoutException || own instanceof CancellationException;
    }

    /** The failure without the {@link CompletionException}s and {@link ExecutionException}s that stages and futures put around it. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = Objects.requireNonNull(inner.getCause());
        }
        return inner;
    }

    /** What a record keeps of a failure that is final: class and message, at most 1,024 characters. */
    public static String reason(Throwable failure) {
        return shortened(failure.getClass().getName() + ": " + failure.getMessage());
    }

    static String shortened(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON);
    }

    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEEPEST_CAUSE);
    }

    private static boolean saysNotNow(Throwable cause) {
        return cause instanceof IdempotencyException || cause instanceof InterruptedException;
    }

    private Optional<Class<? extends Throwable>> mostSpecific(Throwable cause) {
        return rejects.keySet().stream()
                .filter(type -> type.isInstance(cause))
                .max(Comparator.comparingInt(FailurePolicy::depth));
    }

    /** How far a class is below {@link Object}. */
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
