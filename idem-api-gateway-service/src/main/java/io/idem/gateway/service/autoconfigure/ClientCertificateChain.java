package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.HttpProblem;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.Refusals;
import jakarta.servlet.DispatcherType;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.preauth.x509.SubjectX500PrincipalExtractor;
import org.springframework.security.web.authentication.preauth.x509.X509PrincipalExtractor;

/**
 * Spring Security's filter chain of an intake whose callers have certificates: the common name of the subject is the
 * principal. The server has verified with the connection that the certificate is trusted.
 */
record ClientCertificateChain(OpenPaths open, Refusals refusals) {

    private static final Refusal STRANGER = Refusal.of(
            HttpProblem.TENANT_UNKNOWN, "Connect with a client certificate, and send the same idempotency key.");

    SecurityFilterChain build(HttpSecurity http) {
        return http.csrf(csrf -> csrf.disable())
                .logout(logout -> logout.disable())
                .requestCache(cache -> cache.disable())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                                DispatcherType.ERROR, DispatcherType.FORWARD, DispatcherType.ASYNC)
                        .permitAll()
                        .requestMatchers(open::include)
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .x509(certificates -> certificates
                        .x509PrincipalExtractor(new CommonName())
                        .userDetailsService(name -> new User(name, "", List.of())))
                .exceptionHandling(failures -> failures.authenticationEntryPoint(
                        (request, response, refused) -> refusals.write(STRANGER, request, response)))
                .build();
    }

    /** Extracts the common name. A certificate without one has no principal, which is not a failure. */
    private static final class CommonName implements X509PrincipalExtractor {

        private final SubjectX500PrincipalExtractor subject = new SubjectX500PrincipalExtractor();

        @Override
        @SuppressWarnings("NullAway") // Spring Security takes null for "nobody", and does not say so
        public @Nullable Object extractPrincipal(X509Certificate certificate) {
            try {
                return subject.extractPrincipal(certificate);
            } catch (BadCredentialsException withoutName) {
                return null;
            }
        }
    }
}
