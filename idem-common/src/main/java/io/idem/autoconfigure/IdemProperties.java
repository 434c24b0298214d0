package io.idem.autoconfigure;

import static io.idem.internal.Durations.shorter;

import io.idem.ExecutionPolicy;
import io.idem.GuardAction;
import io.idem.PolicyOverrides;
import io.idem.Reconciler;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.TakeoverMode;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.redis.RedisSettings;
import io.idem.redis.ServerGuards;
import io.idem.retry.RetrySettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundles;

/**
 * The settings under {@code idem}, checked against each other when they are bound.
 *
 * @param enabled the kill switch: when false nothing is guarded, no attempts are counted, every duplicate runs again, and the log
 *     says so; failures are left to the containers, and keys still travel on what is published; default true
 * @param lease how long a grant lasts without renewal; default 30 s
 * @param retention how long a settled record is kept; default 24 h
 * @param maxAttempts number of grants after which a record is exhausted; 0, the default, for no limit
 * @param rejectOn names of exception classes that no retry can cure
 * @param retryOn names of exception classes that a retry may cure, although a superclass is in rejectOn
 * @param backoff delay of a key after a failed attempt; default none
 * @param takeover what happens when an earlier attempt's outcome is unknown; default rerun
 * @param reconciler name of the Reconciler bean for takeover=reconcile; default the only one
 * @param interruptOnLostLease whether work whose lease is lost is interrupted; default false
 * @param scopes what single scopes change; the name of a scope with dots is written in brackets, [http.shop]
 * @param proof whether containers of listeners, and templates, are proved before they start: a probe has to come to idem
 * @param redis how Redis is spoken to
 */
@ConfigurationProperties("idem")
record IdemProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Duration lease,
        @Nullable Duration retention,
        @DefaultValue("0") int maxAttempts,
        @DefaultValue List<String> rejectOn,
        @DefaultValue List<String> retryOn,
        @NestedConfigurationProperty PolicySettings.@Nullable BackoffSettings backoff,
        @Nullable TakeoverMode takeover,
        @Nullable String reconciler,
        @Nullable Boolean interruptOnLostLease,
        @DefaultValue Map<String, PolicySettings> scopes,
        @DefaultValue("true") boolean proof,
        @DefaultValue Redis redis) {

    IdemProperties {
        redis.check(policy(lease, retention, maxAttempts).lease());
    }

    /** Returns the policy of a scope without settings, but for what is said of failed attempts and takeovers. */
    ExecutionPolicy policy() {
        return policy(lease, retention, maxAttempts);
    }

    private static ExecutionPolicy policy(@Nullable Duration lease, @Nullable Duration retention, int maxAttempts) {
        return InvalidSettingException.named(
                "idem.",
                () -> ExecutionPolicy.of(
                                Objects.requireNonNullElse(lease, ExecutionPolicy.DEFAULT_LEASE),
                                Objects.requireNonNullElse(retention, ExecutionPolicy.DEFAULT_RETENTION))
                        .withMaxAttempts(maxAttempts));
    }

    /** Returns the policy of scopes without settings. */
    ExecutionPolicy policy(Function<String, Reconciler> reconcilers) {
        PolicySettings all = new PolicySettings(
                null, null, null, rejectOn, retryOn, backoff, takeover, reconciler, interruptOnLostLease, null);
        return all.overrides("idem", policy(), reconcilers).applyTo(policy());
    }

    /** Returns the policies of all scopes, from that of scopes without settings. */
    ScopePolicies policies(ExecutionPolicy every, Function<String, Reconciler> reconcilers) {
        Map<Scope, PolicyOverrides> overrides = new HashMap<>();
        scopes.forEach((name, settings) -> {
            String prefix = "idem.scopes." + name;
            Scope scope = InvalidSettingException.named(value -> prefix, () -> new Scope(name));
            overrides.put(scope, settings.overrides(prefix, every, reconcilers));
        });
        ScopePolicies policies = new ScopePolicies(every, overrides, reconcilers);
        return enabled ? policies : policies.forgetful();
    }

    /** Returns the settings for the Redis at an address. */
    RedisSettings redisSettings(RedisAddress address) {
        Duration timeout = redis.commandTimeout(policy().lease());
        return InvalidSettingException.named(
                "idem.redis.",
                () -> new RedisSettings(
                        address.topology(),
                        address.ssl(),
                        timeout,
                        RedisSettings.DEFAULT_REQUEST_QUEUE_SIZE,
                        redis.checks().guards(),
                        redis.namespace(),
                        redis.replication().settings(timeout)));
    }

    /** Returns the address of a Redis for idem alone, if one is set. */
    Optional<RedisAddress> redisUrl(@Nullable SslBundles bundles) {
        return Optional.ofNullable(redis.url())
                .map(url -> RedisAddress.ofUrl(
                        "idem.redis.url",
                        url,
                        BundledSsl.options("idem.redis.ssl-bundle", redis.sslBundle(), bundles)));
    }

    /** Returns the time for which a call to the store is repeated. */
    Duration retryBudget() {
        return redis.retryBudget(policy().lease());
    }

    /**
     * The settings under {@code idem.redis}.
     *
     * @param url a Redis for idem alone; default: the one that spring.data.redis names
     * @param namespace first part of every key's name: applications and environments that share a Redis and must not see each
     *     other's records have one each; default idem
     * @param commandTimeout how long one command may take, at most a sixth of the lease; default a sixth, but not over 1 s
     * @param retryBudget how long a call is repeated before the store counts as unavailable, at most a third of the
     *     lease; default a third, but not over 3 s
     * @param sslBundle name of the SSL bundle for a url that begins with rediss; default: what the JDK trusts
     * @param checks what is done about a Redis that is less safe than it could be
     * @param replication what replicas must confirm before a grant or an outcome counts
     */
    record Redis(
            @Nullable String url,
            @DefaultValue(RedisSettings.DEFAULT_NAMESPACE) String namespace,
            @Nullable Duration commandTimeout,
            @Nullable Duration retryBudget,
            @Nullable String sslBundle,
            @DefaultValue Checks checks,
            @NestedConfigurationProperty @DefaultValue ReplicationProperties replication) {

        private static final int TIMEOUTS_PER_LEASE = 6;
        private static final int BUDGETS_PER_LEASE = 3;

        private Duration commandTimeout(Duration lease) {
            return orDefault(
                    commandTimeout, lease.dividedBy(TIMEOUTS_PER_LEASE), RedisSettings.DEFAULT_COMMAND_TIMEOUT);
        }

        private Duration retryBudget(Duration lease) {
            return orDefault(retryBudget, lease.dividedBy(BUDGETS_PER_LEASE), RetrySettings.DEFAULT_BUDGET);
        }

        private static Duration orDefault(@Nullable Duration set, Duration derived, Duration longest) {
            return set != null ? set : shorter(derived, longest);
        }

        private void check(Duration lease) {
            checkFraction("idem.redis.command-timeout", commandTimeout(lease), lease, TIMEOUTS_PER_LEASE);
            checkFraction("idem.redis.retry-budget", retryBudget(lease), lease, BUDGETS_PER_LEASE);
            var unused = replication.settings(commandTimeout(lease));
        }

        private static void checkFraction(String property, Duration value, Duration lease, int perLease) {
            if (value.toMillis() < 1) {
                throw new InvalidSettingException(property, value + " is shorter than a millisecond");
            }
            if (value.multipliedBy(perLease).compareTo(lease) > 0) {
                throw new InvalidSettingException(
                        property,
                        value + " is more than 1/" + perLease + " of idem.lease " + lease
                                + ": the lease could end while Redis is still being asked");
            }
        }
    }

    /**
     * The settings under {@code idem.redis.checks}.
     *
     * @param evictionPolicy what is done about a Redis that may evict records: fail ends the start; default fail
     * @param persistence what is done about a Redis that has no append-only file; default warn
     * @param clock what is done about a Redis whose clock and that of this machine are more than 30 s apart; default warn
     */
    record Checks(
            @DefaultValue("fail") GuardAction evictionPolicy,
            @DefaultValue("warn") GuardAction persistence,
            @DefaultValue("warn") GuardAction clock) {

        private ServerGuards guards() {
            return new ServerGuards(evictionPolicy, persistence, clock);
        }
    }
}
