package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.Refusals;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.web.BearerTokenAuthenticationEntryPoint;
import org.springframework.security.oauth2.server.resource.web.access.BearerTokenAccessDeniedHandler;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;

/**
 * Answers callers whose tokens are refused, with the challenge of RFC 6750 and a body like those of other refusals.
 * Thread-safe.
 */
final class BearerRefusals implements AuthenticationEntryPoint, AccessDeniedHandler, AuthenticationFailureHandler {

    private static final Logger LOG = LoggerFactory.getLogger(BearerRefusals.class);
    private static final Refusal STRANGER = Refusal.of(
            GatewayProblem.UNAUTHENTICATED,
            "Send Authorization: Bearer with a valid token, and the same idempotency key.");
    private static final Refusal UNVERIFIED = Refusal.of(
                    GatewayProblem.AUTHENTICATION_UNAVAILABLE, "Send the request again with the same token and key.")
            .retryAfter(Duration.ofSeconds(1));
    private static final Refusal DENIED = Refusal.of(
            GatewayProblem.ACCESS_DENIED,
            "The token lacks a scope that the route asks for. Send one that has it, and the same key.");

    private final BearerTokenAuthenticationEntryPoint challenge = new BearerTokenAuthenticationEntryPoint();
    private final BearerTokenAccessDeniedHandler denial = new BearerTokenAccessDeniedHandler();
    private final Refusals refusals;

    BearerRefusals(Refusals refusals) {
        this.refusals = refusals;
        challenge.setRealmName("idem");
        denial.setRealmName("idem");
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
            throws IOException {
        challenge.commence(request, response, refused);
        refusals.write(STRANGER, request, response);
    }

    /**
     * Answers a refused token. An authorization server that does not answer gives 503 instead, so that the caller does
     * not fetch another token.
     */
    @Override
    public void onAuthenticationFailure(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
            throws IOException {
        if (refused instanceof AuthenticationServiceException) {
            LOG.warn("A token could not be verified, its request was answered with 503: {}", refused.getMessage());
            refusals.write(UNVERIFIED, request, response);
        } else {
            commence(request, response, refused);
        }
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException, ServletException {
        denial.handle(request, response, denied);
        refusals.write(DENIED, request, response);
    }
}
