package io.idem.autoconfigure;

import io.idem.AttemptPolicy;
import io.idem.Backoff;
import io.idem.ExecutionPolicy;
import io.idem.PolicyOverrides;
import io.idem.Reconciler;
import io.idem.ScopePolicies;
import io.idem.TakeoverMode;
import io.idem.TakeoverPolicy;
import io.idem.internal.spring.InvalidSettingException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.ClassUtils;

/**
 * The settings of one scope, under {@code idem.scopes.<scope>}. What is not set is as for all scopes.
 *
 * @param lease how long a grant lasts without renewal
 * @param retention how long a settled record is kept
 * @param maxAttempts number of grants after which a record is exhausted; 0 for no limit
 * @param rejectOn names of exception classes that no retry can cure
 * @param retryOn names of exception classes that a retry may cure, although a superclass is in rejectOn
 * @param backoff delay of a key after a failed attempt
 * @param takeover what happens when an earlier attempt's outcome is unknown
 * @param reconciler name of the Reconciler bean for takeover=reconcile; default the only one
 * @param interruptOnLostLease whether work whose lease is lost is interrupted
 * @param keepIncomingKey whether what a listener publishes with the key of its own message keeps that key; default false
 */
record PolicySettings(
        @Nullable Duration lease,
        @Nullable Duration retention,
        @Nullable Integer maxAttempts,
        @DefaultValue List<String> rejectOn,
        @DefaultValue List<String> retryOn,
        @Nullable BackoffSettings backoff,
        @Nullable TakeoverMode takeover,
        @Nullable String reconciler,
        @Nullable Boolean interruptOnLostLease,
        @Nullable Boolean keepIncomingKey) {

    /**
     * Returns the changes that these settings make to a policy, checked with it. Where a value that they leave as it is does
     * not fit another one, that one is named.
     *
     * @param prefix the prefix of the settings' names, for error messages
     */
    PolicyOverrides overrides(String prefix, ExecutionPolicy base, Function<String, Reconciler> reconcilers) {
        PolicyOverrides changes = new PolicyOverrides(
                lease,
                null,
                null,
                retention,
                maxAttempts,
                attempts(prefix, new ScopePolicies(base, Map.of(), reconcilers)));
        var unused = InvalidSettingException.named(
                value -> prefix + "." + (value.equals("retention") && retention == null ? "lease" : value),
                () -> changes.applyTo(base));
        return changes;
    }

    private UnaryOperator<AttemptPolicy> attempts(String prefix, ScopePolicies takeovers) {
        List<Class<? extends Throwable>> reject = classes(prefix + ".reject-on", rejectOn);
        List<Class<? extends Throwable>> retry = classes(prefix + ".retry-on", retryOn);
        TakeoverPolicy own = takeover(prefix, takeovers);
        return base -> base.withTakeover(orElse(own, base.takeover()))
                .withKeepIncomingKey(orElse(keepIncomingKey, base.keepIncomingKey()))
                .withFailures(base.failures().with(reject, retry))
                .withBackoff(backoff == null ? base.backoff() : backoff.applyTo(base.backoff()))
                .withInterruptOnLostLease(orElse(interruptOnLostLease, base.interruptOnLostLease()));
    }

    private static <T> T orElse(@Nullable T own, T base) {
        return Objects.requireNonNullElse(own, base);
    }

    private @Nullable TakeoverPolicy takeover(String prefix, ScopePolicies takeovers) {
        TakeoverMode mode = takeover;
        if (mode != null) {
            return InvalidSettingException.named(
                    value -> prefix + ".reconciler", () -> takeovers.takeover(mode, orElse(reconciler, "")));
        }
        if (reconciler != null) {
            throw new InvalidSettingException(
                    prefix + ".reconciler", "is set, but " + prefix + ".takeover is not; set that to reconcile");
        }
        return null;
    }

    private static List<Class<? extends Throwable>> classes(String property, List<String> names) {
        return names.stream()
                .<Class<? extends Throwable>>map(name -> exception(property, name.strip()))
                .toList();
    }

    private static Class<? extends Throwable> exception(String property, String name) {
        try {
            return ClassUtils.forName(name, null).asSubclass(Throwable.class);
        } catch (ClassNotFoundException | LinkageError unknown) {
            throw new InvalidSettingException(
                    property,
                    "class " + name + " was not found; name exception classes in full, as in java.io.IOException");
        } catch (ClassCastException other) {
            throw new InvalidSettingException(property, "class " + name + " is not an exception class");
        }
    }

    /**
     * Delay of a key after a failed attempt: each is twice the one before, and half of it is left to chance.
     *
     * @param first delay after the first attempt, zero for none; default none
     * @param longest bound of every delay; default 5 min
     */
    record BackoffSettings(
            @Nullable Duration first, @Nullable Duration longest) {

        Backoff applyTo(Backoff base) {
            return base.with(first, null, longest, null);
        }
    }
}
