package io.idem.autoconfigure;

import io.idem.internal.spring.Repetition;
import io.idem.operations.ScopeRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;

/**
 * Announces the application's scopes once all participants are registered, and again at intervals: a store that was
 * unreachable or has lost its data learns them later.
 */
@ConditionalOnMissingBean(ScopeAnnouncer.class)
final class ScopeAnnouncer extends Repetition {

    private static final Logger LOG = LoggerFactory.getLogger(ScopeAnnouncer.class);
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final ScopeRegistry registry;

    ScopeAnnouncer(ScopeRegistry registry) {
        super("idem-scopes", Duration.ZERO, PAUSE);
        this.registry = registry;
    }

    @Override
    protected void run() {
        try {
            registry.announceAll();
        } catch (RuntimeException unavailable) {
            LOG.warn(
                    "The scopes {} could not be announced ({}); tried again in {} s. Until then the status of operations"
                            + " may leave them out",
                    registry.scopes(),
                    unavailable.getMessage(),
                    PAUSE.toSeconds());
        }
    }
}
