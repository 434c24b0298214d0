package io.idem.autoconfigure;

import io.idem.internal.spring.InvalidSettingException;
import io.lettuce.core.SslOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Translates Spring Boot's SSL bundles to Lettuce's options. Host names are always verified. */
final class BundledSsl {

    private BundledSsl() {}

    /** Returns the options of a bundle, or the JDK's defaults if there is none. */
    static SslOptions options(@Nullable SslBundle bundle) {
        SslOptions.Builder options = SslOptions.builder();
        if (bundle != null) {
            options.keyManager(bundle.getManagers().getKeyManagerFactory());
            options.trustManager(bundle.getManagers().getTrustManagerFactory());
            if (bundle.getOptions().getCiphers() != null) {
                options.cipherSuites(bundle.getOptions().getCiphers());
            }
            if (bundle.getOptions().getEnabledProtocols() != null) {
                options.protocols(bundle.getOptions().getEnabledProtocols());
            }
        }
        return options.build();
    }

    /** Returns the options of the bundle that a setting names. */
    static SslOptions options(String property, @Nullable String name, @Nullable SslBundles bundles) {
        if (name == null) {
            return options(null);
        }
        try {
            return options(bundles == null ? null : bundles.getBundle(name));
        } catch (NoSuchSslBundleException unknown) {
            throw new InvalidSettingException(
                    property, "there is no SSL bundle \"" + name + "\"; define it under spring.ssl.bundle");
        }
    }
}
