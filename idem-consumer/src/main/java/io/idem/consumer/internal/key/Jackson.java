package io.idem.consumer.internal.key;

import org.springframework.util.ClassUtils;

/** Answers whether Jackson 3 is present. Apart from the class that uses it, which cannot even be loaded without. */
final class Jackson {

    private Jackson() {}

    /**
     * Requires Jackson 3.
     *
     * @throws IllegalArgumentException if it is absent; names {@code what} needs it
     */
    static void require(String what) {
        if (!ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper", null)) {
            throw new IllegalArgumentException(what + " needs Jackson 3 (tools.jackson.core:jackson-databind)");
        }
    }
}
