package io.idem.http.autoconfigure;

/** Looks at an application that has a protected route before it starts. */
@FunctionalInterface
interface StartCheck {

    /**
     * Lets the application start.
     *
     * @throws HttpConfigurationException if it must not
     */
    void check();
}
