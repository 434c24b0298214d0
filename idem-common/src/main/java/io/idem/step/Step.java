package io.idem.step;

import io.idem.internal.value.Sha256;
import io.idem.internal.value.WellFormed;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A step of idempotent work: a call to another system whose result is remembered under the key of the work. An attempt
 * that finds the result does not repeat the call. Immutable; build it once and add the {@link #item} where the step is
 * in a loop.
 *
 * <p>Without further rules a step whose outcome is unknown runs again, with the same {@link StepContext#key}.
 *
 * @param <T> the type of the result
 */
public final class Step<T> {

    /** The syntax of names. */
    public static final String NAME_SYNTAX = "[a-z0-9][a-z0-9._-]{0,47}";

    private static final Pattern NAME = Pattern.compile(NAME_SYNTAX);
    private static final int LONGEST_KEY = 255;

    private final String name;
    private final Type type;
    private final String item;
    private final @Nullable String key;
    private final @Nullable Function<StepContext, StepFinding<T>> reconciler;
    private final boolean rejectedWhenUnknown;

    private Step(
            String name,
            Type type,
            String item,
            @Nullable String key,
            @Nullable Function<StepContext, StepFinding<T>> reconciler,
            boolean rejectedWhenUnknown) {
        this.name = name;
        this.type = type;
        this.item = item;
        this.key = key;
        this.reconciler = reconciler;
        this.rejectedWhenUnknown = rejectedWhenUnknown;
    }

    /**
     * Returns a step.
     *
     * @param name a constant that is unique in the work and keeps its meaning from release to release: 1 to 48 lower-case
     *     letters, digits, dots, underscores and hyphens, beginning with a letter or digit
     * @param type the type of the result, which the result codec reads and writes
     * @throws IllegalArgumentException if the name has another form
     */
    public static <T> Step<T> of(String name, Class<T> type) {
        return of(name, (Type) type);
    }

    /** Returns a step whose result has a generic type, such as a list. The caller says which {@code T} that is. */
    public static <T> Step<T> of(String name, Type type) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name \"" + name + "\" of a step does not match " + NAME_SYNTAX
                    + "; name the step by a constant, and give what varies as its item");
        }
        return new Step<>(name, type, "", null, null, false);
    }

    /**
     * Returns the step for one item of a loop.
     *
     * @param item tells the item from all others in the same work: a text, a number, a UUID or an enum constant. Only a
     *     digest of it is stored unless it is a whole number
     * @throws IllegalArgumentException if it is of another type, or a text that is empty or not well-formed Unicode
     */
    public Step<T> item(Object item) {
        return new Step<>(name, type, "#" + text(item), key, reconciler, rejectedWhenUnknown);
    }

    private String text(Object item) {
        if (item instanceof Long || item instanceof Integer || item instanceof Short || item instanceof Byte) {
            return item.toString();
        }
        if (item instanceof Enum<?> constant) {
            return digest(constant.name());
        }
        boolean known = item instanceof String || item instanceof Number || item instanceof UUID;
        if (!known || item.toString().isEmpty()) {
            throw new IllegalArgumentException("The item of a step is a non-empty text, a number, a UUID or an enum"
                    + " constant, and not " + item.getClass().getName());
        }
        return digest(item.toString());
    }

    private String digest(String text) {
        WellFormed.require("The item of step \"" + name + "\"", text, IllegalArgumentException::new);
        return Sha256.id(Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Returns the step with a key of its own for the system that it calls, in place of the derived one. For work that
     * has called that system under this key before.
     *
     * @param own 1 to 255 characters, the same in every attempt
     * @throws IllegalArgumentException if it has another length, or is not well-formed Unicode
     */
    public Step<T> key(String own) {
        if (own.isEmpty() || own.length() > LONGEST_KEY) {
            throw new IllegalArgumentException("The key of step \"" + name + "\" has " + own.length()
                    + " characters; 1 to " + LONGEST_KEY + " are allowed");
        }
        WellFormed.require("The key of step \"" + name + "\"", own, IllegalArgumentException::new);
        return new Step<>(name, type, item, own, reconciler, rejectedWhenUnknown);
    }

    /**
     * Returns the step with a rule for an unknown outcome: {@code reconciler} asks the other system whether the step was
     * done. It is called before the work of the step in every attempt but the first, also after a failure, unless the
     * result is remembered. If it throws, the attempt is deferred.
     *
     * @param reconciler called on the thread of the step, may block
     */
    public Step<T> reconciledBy(Function<StepContext, StepFinding<T>> reconciler) {
        return new Step<>(name, type, item, key, reconciler, false);
    }

    /**
     * Returns the step with a rule for an unknown outcome: the record is rejected, for a person to look at. Costs one
     * more write, which is confirmed before the work of the step begins. The first attempt after an operator has
     * reopened the record runs the step again.
     */
    public Step<T> rejectedWhenUnknown() {
        return new Step<>(name, type, item, key, null, true);
    }

    /** Returns the name that tells the step from others of the same work. */
    public String name() {
        return name;
    }

    /** Returns the name, and the item if there is one: what results are remembered under. */
    public String id() {
        return name + item;
    }

    /** Returns the type of the result. */
    public Type type() {
        return type;
    }

    /** Returns the key of its own; empty if the step has a derived one. */
    public Optional<String> ownKey() {
        return Optional.ofNullable(key);
    }

    /** Returns the rule that asks the other system; empty without one. */
    public Optional<Function<StepContext, StepFinding<T>>> reconciler() {
        return Optional.ofNullable(reconciler);
    }

    /** Returns whether an unknown outcome rejects the record. */
    public boolean rejectsWhenUnknown() {
        return rejectedWhenUnknown;
    }

    @Override
    public String toString() {
        return id();
    }
}
