package io.idem.autoconfigure;

import static io.idem.internal.Durations.shorter;

import io.idem.ExecutionPolicy;
import io.idem.InboxTransaction;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.internal.PlainTime;
import io.idem.operations.ScopeRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Logs the place of the records and the rules of each participant at the end of the start. Contains no credentials.
 *
 * @param rows how long the inbox keeps its rows, if it is the store
 * @param application contexts below it tell of their refresh here too, and some come before all participants are registered
 */
record StartUpReport(
        String store,
        ScopeRegistry registry,
        ScopePolicies policies,
        @Nullable Duration rows,
        ApplicationContext application)
        implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(StartUpReport.class);

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        Map<String, String> participants = registry.participants();
        if (!participants.isEmpty() && started.getApplicationContext() == application) {
            LOG.info(
                    "idem guards {} participant(s), with records in {}{}",
                    participants.size(),
                    store,
                    lines(participants));
        }
    }

    private String lines(Map<String, String> participants) {
        Map<String, String> descriptions = registry.descriptions();
        return participants.entrySet().stream()
                .map(one -> "\n  " + one.getKey() + " (" + one.getValue() + "): "
                        + description(descriptions.get(one.getKey())) + rules(new Scope(one.getKey())))
                .collect(Collectors.joining());
    }

    private static String description(@Nullable String noted) {
        return noted == null ? "" : noted + ", ";
    }

    private String rules(Scope scope) {
        ExecutionPolicy policy = registry.policies().getOrDefault(scope, policies.of(scope));
        boolean leased = rows == null || policy.attempts().transaction() == InboxTransaction.LAST_PHASE;
        return (leased
                        ? "lease " + PlainTime.text(policy.lease()) + ", renewed every "
                                + PlainTime.text(policy.renewEvery())
                        : "no lease, since its row commits with the work")
                + ", kept for " + PlainTime.text(rows == null ? policy.retention() : shorter(rows, policy.retention()))
                + ", attempts " + (policy.maxAttempts() == 0 ? "without limit" : policy.maxAttempts())
                + (leased ? ", takeover " + takeover(policy) : "");
    }

    private static String takeover(ExecutionPolicy policy) {
        return policy.attempts().takeover().getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
