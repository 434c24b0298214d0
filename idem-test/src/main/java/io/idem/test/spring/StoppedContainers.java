package io.idem.test.spring;

import io.idem.internal.spring.BeforeContainers;

/**
 * Turns off auto-start of all listener containers. A {@code SmartLifecycle} in the lowest phase: it runs after they are
 * created and before any is started.
 */
final class StoppedContainers extends BeforeContainers {

    private final Runnable tell;

    StoppedContainers(Runnable tell) {
        this.tell = tell;
    }

    @Override
    protected void prepare() {
        tell.run();
    }
}
