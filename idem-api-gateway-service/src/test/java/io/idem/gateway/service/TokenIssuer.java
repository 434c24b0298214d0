package io.idem.gateway.service;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.function.UnaryOperator;

/** An authorization server's key, and what it signs. */
final class TokenIssuer {

    static final String AUDIENCE = "intake";

    private final RSAKey key;

    TokenIssuer() {
        try {
            key = new RSAKeyGenerator(2048).keyID("test").generate();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Where a verifier finds the public key. */
    Path publicKey(Path directory) {
        try {
            String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                    .encodeToString(key.toRSAPublicKey().getEncoded());
            return Files.writeString(
                    directory.resolve("issuer.pem"),
                    "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n");
        } catch (JOSEException | IOException unusable) {
            throw new IllegalStateException(unusable);
        }
    }

    /** The same as a JWK set. */
    byte[] jwkSet() {
        return new JWKSet(key.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
    }

    /** A valid token of a user. */
    String token(String user) {
        return token(user, claims -> claims);
    }

    /** A valid token of a user of a tenant. */
    String token(String user, String org) {
        return token(user, claims -> claims.claim("org", org));
    }

    /** A token with other claims. */
    String token(String user, UnaryOperator<JWTClaimsSet.Builder> refine) {
        Instant now = Instant.now();
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .subject(user)
                .audience(AUDIENCE)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(Duration.ofHours(1))));
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
                refine.apply(claims).build());
        try {
            token.sign(new RSASSASigner(key));
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
        return token.serialize();
    }
}
