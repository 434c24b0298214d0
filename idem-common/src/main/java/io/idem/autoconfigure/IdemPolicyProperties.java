package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.PolicyOverrides;
import io.idem.Reconciler;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.TakeoverMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem} that say what becomes of attempts that do not simply succeed, and what single scopes change.
 *
 * @param rejectOn names of exception classes that no retry can cure
 * @param retryOn names of exception classes that a retry may cure, although a superclass is in rejectOn
 * @param backoff delay of a key after a failed attempt; default none
 * @param takeover what happens when an earlier attempt's outcome is unknown; default rerun
 * @param reconciler name of the Reconciler bean for takeover=reconcile; default the only one
 * @param interruptOnLostLease whether work whose lease is lost is interrupted; default false
 * @param scopes what single scopes change; the name of a scope with dots is written in brackets, [http.shop]
 */
@ConfigurationProperties("idem")
record IdemPolicyProperties(
        @DefaultValue List<String> rejectOn,
        @DefaultValue List<String> retryOn,
        @NestedConfigurationProperty PolicySettings.@Nullable BackoffSettings backoff,
        @Nullable TakeoverMode takeover,
        @Nullable String reconciler,
        @Nullable Boolean interruptOnLostLease,
        @DefaultValue Map<String, PolicySettings> scopes) {

    /** Returns the policy of scopes without settings. */
    ExecutionPolicy policy(ExecutionPolicy base, Function<String, Reconciler> reconcilers) {
        ScopePolicies takeovers = new ScopePolicies(base, Map.of(), reconcilers);
        PolicySettings all = forAllScopes();
        return applied("idem", all, all.overrides("idem", takeovers), base);
    }

    /** Returns the policies of all scopes, from that of scopes without settings. */
    ScopePolicies policies(ExecutionPolicy every, Function<String, Reconciler> reconcilers) {
        ScopePolicies takeovers = new ScopePolicies(every, Map.of(), reconcilers);
        Map<Scope, PolicyOverrides> overrides = new HashMap<>();
        scopes.forEach((name, settings) -> {
            String prefix = "idem.scopes." + name;
            PolicyOverrides changes = settings.overrides(prefix, takeovers);
            applied(prefix, settings, changes, every);
            overrides.put(scope(prefix, name), changes);
        });
        return new ScopePolicies(every, overrides, reconcilers);
    }

    private PolicySettings forAllScopes() {
        return new PolicySettings(
                null, null, null, rejectOn, retryOn, backoff, takeover, reconciler, interruptOnLostLease, null);
    }

    private static Scope scope(String prefix, String name) {
        try {
            return new Scope(name);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSettingException(prefix, String.valueOf(invalid.getMessage()));
        }
    }

    /**
     * Applies changes; an exception of the policy starts with the name of the value, to which the prefix is added. A value
     * that the settings leave as it is does not fit another one that they change.
     */
    private static ExecutionPolicy applied(
            String prefix, PolicySettings settings, PolicyOverrides changes, ExecutionPolicy base) {
        try {
            return changes.applyTo(base);
        } catch (IllegalArgumentException invalid) {
            String message = String.valueOf(invalid.getMessage());
            String name = message.substring(0, message.indexOf(' '));
            String property = name.equals("retention") && settings.retention() == null
                    ? "lease"
                    : name.startsWith("backoff.") ? name : DataObjectPropertyName.toDashedForm(name);
            boolean aboutClasses = message.contains("rejectOn and in retryOn");
            throw new InvalidSettingException(prefix + "." + (aboutClasses ? "reject-on" : property), message);
        }
    }
}
