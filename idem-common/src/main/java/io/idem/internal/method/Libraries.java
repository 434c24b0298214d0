package io.idem.internal.method;

import org.springframework.util.ClassUtils;

/** Presence of the libraries that applications may do without. In native images it is known by the hints of the auto-configuration. */
final class Libraries {

    /** Whether idem-http protects handlers of requests. */
    static final boolean HTTP = isPresent("io.idem.http.IdempotentRoute");

    /** Whether there can be transactions. */
    static final boolean TRANSACTIONS = isPresent("org.springframework.transaction.interceptor.TransactionInterceptor");

    private Libraries() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, Libraries.class.getClassLoader());
    }
}
