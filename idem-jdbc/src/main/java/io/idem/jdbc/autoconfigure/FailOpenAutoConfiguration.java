package io.idem.jdbc.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.Inbox;
import io.idem.internal.RefusedSettingException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Refuses to start an application that wants to fail open without the condition that makes it safe: an inbox with a
 * long retention.
 */
@AutoConfiguration(after = InboxAutoConfiguration.class)
@ConditionalOnProperty("idem.jdbc.fail-open")
@EnableConfigurationProperties(InboxProperties.class)
final class FailOpenAutoConfiguration {

    @Bean
    SmartInitializingSingleton idemFailOpenCheck(
            ObjectProvider<Inbox> inbox, ObjectProvider<ExecutionPolicy> policy, InboxProperties properties) {
        return () -> {
            requireInbox(inbox.stream().anyMatch(Inbox::failsOpen));
            policy.ifAvailable(used -> requireRetention(properties, used));
        };
    }

    private static void requireInbox(boolean present) {
        if (!present) {
            throw new RefusedSettingException(
                    "idem.jdbc.fail-open=true, but there is no inbox that fails open: with the store unreachable,"
                            + " nothing would keep work from taking effect twice",
                    "Give the application a data source with its transaction manager and leave idem.jdbc.enabled=true;"
                            + " or remove idem.jdbc.fail-open, so that work waits until the store answers.");
        }
    }

    private static void requireRetention(InboxProperties properties, ExecutionPolicy policy) {
        if (properties.retention().compareTo(policy.retention()) < 0) {
            throw new RefusedSettingException(
                    "idem.jdbc.fail-open=true, but idem.jdbc.retention=" + properties.retention()
                            + " is shorter than idem.retention=" + policy.retention()
                            + ": a duplicate that the store would still know would be run again while it is unreachable",
                    "Make idem.jdbc.retention at least as long as idem.retention, or remove idem.jdbc.fail-open.");
        }
    }
}
