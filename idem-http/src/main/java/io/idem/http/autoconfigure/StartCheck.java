package io.idem.http.autoconfigure;

/** A check of an application that has a protected route, before it starts. */
@FunctionalInterface
interface StartCheck {

    /**
     * Checks the application.
     *
     * @throws HttpConfigurationException if it must not start
     */
    void check();
}
