package io.idem.http.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.http.TenantResolver;
import io.idem.http.internal.servlet.IncomingServletRequest;
import io.idem.http.internal.tenant.ApiKeyTenants;
import io.idem.http.internal.tenant.ApiKeyTenants.ApiKey;
import io.idem.http.internal.tenant.TokenClaimTenant;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.AuthenticatedPrincipal;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/** Requests that were made to claim another's tenant have none. */
@ExtendWith(OutputCaptureExtension.class)
class TenantResolversTest {

    /** SHA-256 of "key-of-acme" and of "key-of-umbrella". */
    private static final String ACME = "689febd264f8b977e29c0fdb75f839eb248ba07d1561b14f2b95f42756943245";

    private static final String UMBRELLA = "7bc381aa4003ed9b4fab09980f8b5eaff1059f58eed25a0842fa8fe580f5a15e";

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    @Test
    void aClaimOfAVerifiedTokenNamesTheTenant() {
        request.setUserPrincipal(token(Map.of("org", "acme"), true));

        assertThat(tenant(new TokenClaimTenant("org", null))).contains("acme");
        assertThat(tenant(new TokenClaimTenant("team", null))).isEmpty();
    }

    @Test
    void aClaimIsNotBelievedWithoutAVerifiedToken() {
        request.addHeader("org", "acme");
        assertThat(tenant(new TokenClaimTenant("org", null))).isEmpty();

        request.setUserPrincipal(token(Map.of("org", "acme"), false));
        assertThat(tenant(new TokenClaimTenant("org", null))).isEmpty();

        request.setUserPrincipal(new TestingAuthenticationToken("acme", "secret", "ROLE_USER"));
        assertThat(tenant(new TokenClaimTenant("org", null))).isEmpty();
    }

    @Test
    void aClaimIsATextOrAWholeNumber() {
        request.setUserPrincipal(
                token(Map.of("text", "acme", "number", 7L, "list", List.of("acme"), "blank", " "), true));

        assertThat(tenant(new TokenClaimTenant("number", null))).contains("7");
        assertThat(tenant(new TokenClaimTenant("list", null))).isEmpty();
        assertThat(tenant(new TokenClaimTenant("blank", null))).isEmpty();
    }

    /** Issuers number their organisations as they like. */
    @Test
    void aClaimIsOneByItsIssuerUnlessTheSettingsNameThatOne() {
        TokenClaimTenant ofSeveral = new TokenClaimTenant("org", null);
        TokenClaimTenant ofNorth = new TokenClaimTenant("org", "https://north.example");

        request.setUserPrincipal(token(Map.of("iss", "https://north.example", "org", 1L), true));
        assertThat(tenant(ofSeveral)).contains("https://north.example 1");
        assertThat(tenant(ofNorth)).contains("1");

        request.setUserPrincipal(token(Map.of("iss", "https://south.example", "org", 1L), true));
        assertThat(tenant(ofSeveral)).contains("https://south.example 1");
        assertThat(tenant(ofNorth)).contains("https://south.example 1");

        request.setUserPrincipal(token(Map.of("iss", "https://north.example", "org", "https://south.example 1"), true));
        assertThat(tenant(ofNorth)).contains(" https://south.example 1");

        request.setUserPrincipal(token(Map.of("iss", "acme", "org", 1L), true));
        assertThat(tenant(ofNorth)).isEmpty();
    }

    /** Subjects are unique to their issuer only. */
    @Test
    void aPrincipalOfATokenIsOneByItsIssuer() {
        request.setUserPrincipal(token(Map.of("iss", "https://north.example", "sub", "ann"), true));
        Optional<String> north = tenant(TenantResolver.principal());
        request.setUserPrincipal(token(Map.of("iss", "https://south.example", "sub", "ann"), true));

        assertThat(north).contains("https://north.example ann");
        assertThat(tenant(TenantResolver.principal())).contains("https://south.example ann");
        assertThat(tenant(TenantResolver.principalName())).contains("ann");
    }

    @Test
    void aPrincipalOfAnIntrospectedTokenOrALoginIsOneByItsIssuer() {
        DefaultOAuth2AuthenticatedPrincipal ann = new DefaultOAuth2AuthenticatedPrincipal(
                "ann", Map.of("iss", URI.create("https://north.example")), List.of());
        request.setUserPrincipal(new TestingAuthenticationToken(ann, "secret"));

        assertThat(tenant(TenantResolver.principal())).contains("https://north.example ann");
    }

    /** Spring Security erases the credentials of such a token, and the JWT with them. */
    @Test
    void aPrincipalOfAConverterIsOneByTheIssuerOfTheTokenInItsDetails() {
        JwtAuthenticationProvider provider = new JwtAuthenticationProvider(
                token -> token(Map.of("iss", "https://north.example"), true).getToken());
        provider.setJwtAuthenticationConverter(jwt -> {
            UsernamePasswordAuthenticationToken ann =
                    UsernamePasswordAuthenticationToken.authenticated("ann", jwt, List.of());
            ann.setDetails(jwt);
            return ann;
        });
        Authentication ann = new ProviderManager(provider).authenticate(new BearerTokenAuthenticationToken("token"));
        request.setUserPrincipal(ann);

        assertThat(ann.getCredentials()).isNull();
        assertThat(tenant(TenantResolver.principal())).contains("https://north.example ann");
    }

    @Test
    void anotherPrincipalIsOneByItsName() {
        request.setUserPrincipal(token(Map.of("sub", "ann"), true));
        assertThat(tenant(TenantResolver.principal())).contains("ann");

        request.setUserPrincipal(new TestingAuthenticationToken("ann", "secret"));
        assertThat(tenant(TenantResolver.principal())).contains("ann");

        request.setUserPrincipal(() -> "ann");
        assertThat(tenant(TenantResolver.principal())).contains("ann");

        request.setUserPrincipal(null);
        assertThat(tenant(TenantResolver.principal())).isEmpty();
    }

    @Test
    void aPrincipalWithoutANameOfItsOwnIsNoTenant(CapturedOutput output) {
        Stream.of(
                        token(Map.of("iss", "https://issuer.test"), true),
                        new TestingAuthenticationToken("", "secret"),
                        new TestingAuthenticationToken(new Object(), "secret"),
                        new TestingAuthenticationToken(new Account(7), "secret"),
                        new TestingAuthenticationToken(new int[0], "secret"),
                        new TestingAuthenticationToken(Map.of("sub", "ann", "iat", 7), "secret"),
                        new TestingAuthenticationToken(List.of("ann", 7), "secret"),
                        new TestingAuthenticationToken(new LastSeen("ann", Instant.EPOCH), "secret"))
                .forEach(nameless -> {
                    request.setUserPrincipal(nameless);
                    assertThat(tenant(TenantResolver.principal())).isEmpty();
                    assertThat(tenant(TenantResolver.principalName())).isEmpty();
                });

        assertThat(output)
                .contains(
                        "A principal of " + Jwt.class + " has no name",
                        "A principal of class java.lang.Object has no name",
                        "A principal of " + Account.class + " has no name",
                        "A principal of " + Map.of("sub", "ann", "iat", 7).getClass() + " has no name",
                        "A principal of " + LastSeen.class + " has no name",
                        "or define a TenantResolver bean");
    }

    @Test
    void aPrincipalThatIsAValueOrHasANameIsATenant() {
        UserDetails ann = User.withUsername("ann").password("").build();
        AuthenticatedPrincipal bob = () -> "bob";
        for (Object named : List.of("ann", 7L, UUID.fromString("4d0a7a4e-3f43-4a4d-9a70-000000000007"), ann, bob)) {
            TestingAuthenticationToken token = new TestingAuthenticationToken(named, "secret");
            request.setUserPrincipal(token);

            assertThat(tenant(TenantResolver.principal())).contains(token.getName());
        }
    }

    /** A principal whose text tells more than its name. */
    private record LastSeen(String name, Instant at) {}

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.Object@cafe", "bob@cafe", "@"})
    void aNameThatOnlyLooksLikeThatOfAnObjectIsATenant(String name) {
        request.setUserPrincipal(new TestingAuthenticationToken(name, "secret"));

        assertThat(tenant(TenantResolver.principal())).contains(name);
    }

    /** An account with an equality of its own, and no text. */
    private static final class Account {

        private final int number;

        Account(int number) {
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Account that && number == that.number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    @Test
    void aUserWhoIsNamedLikeTheTenantOfAnIssuerIsAnotherTenant() {
        request.setUserPrincipal(token(Map.of("iss", "https://north.example", "sub", "ann"), true));
        String issued = tenant(TenantResolver.principal()).orElseThrow();

        request.setUserPrincipal(() -> issued);
        String local = tenant(TenantResolver.principal()).orElseThrow();
        request.setUserPrincipal(() -> local);

        assertThat(local).isNotEqualTo(issued);
        assertThat(tenant(TenantResolver.principal())).isPresent().get().isNotIn(issued, local);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ann Smith", "cn=Ann Smith,ou=a:b", "corp:ann"})
    void anOrdinaryNameStaysAsItIs(String name) {
        request.setUserPrincipal(() -> name);

        assertThat(tenant(TenantResolver.principal())).contains(name);
    }

    @Test
    void anApiKeyNamesItsTenant() {
        request.addHeader("X-API-Key", "key-of-umbrella");

        assertThat(tenant(apiKeys())).contains("umbrella");
    }

    @Test
    void inTheHeaderOfCredentialsAnApiKeyFollowsItsScheme() {
        ApiKeyTenants tenants =
                new ApiKeyTenants("authorization", List.of(ApiKey.of("acme", "key-of-acme"), ApiKey.of("acme", "new")));

        assertThat(authorized(tenants, "Bearer key-of-acme")).contains("acme");
        assertThat(authorized(tenants, "bearer  new ")).contains("acme");
        assertThat(authorized(tenants, "key-of-acme")).isEmpty();
        assertThat(authorized(tenants, "Basic key-of-acme")).isEmpty();
        assertThat(authorized(tenants, "Bearer")).isEmpty();
    }

    @Test
    void anApiKeyIsKnownByItsDigest() {
        assertThat(ApiKey.of("acme", "key-of-acme")).isEqualTo(new ApiKey("acme", ACME));
    }

    private static Optional<String> authorized(TenantResolver tenants, String credentials) {
        MockHttpServletRequest authorized = new MockHttpServletRequest();
        authorized.addHeader("Authorization", credentials);
        return tenants.resolve(IncomingServletRequest.of(authorized));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "acme", "key-of-acm", "key-of-acme2", ACME, "key-of-acme, key-of-umbrella"})
    void whatIsNoApiKeyNamesNobody(String presented) {
        request.addHeader("X-API-Key", presented);

        assertThat(tenant(apiKeys())).isEmpty();
    }

    @Test
    void severalApiKeysNameNobody() {
        request.addHeader("X-API-Key", "key-of-acme");
        request.addHeader("X-API-Key", "key-of-umbrella");

        assertThat(tenant(apiKeys())).isEmpty();
    }

    @Test
    void unusableApiKeysAreRefused() {
        assertThatThrownBy(() -> new ApiKeyTenants("X-API-Key", List.of())).hasMessageContaining("no API key");
        assertThatThrownBy(() ->
                        new ApiKeyTenants("X-API-Key", List.of(new ApiKey("acme", ACME), new ApiKey("umbrella", ACME))))
                .hasMessageContaining("twice");
        for (String wrong : List.of("", "key-of-acme", ACME.toUpperCase(Locale.ROOT), ACME + "00")) {
            assertThatThrownBy(() -> new ApiKeyTenants("X-API-Key", List.of(new ApiKey("acme", wrong))))
                    .hasMessageContaining("64 hexadecimal digits");
        }
    }

    @Test
    void aResolverBelievesTheTenantThatAProxyNames() {
        TenantResolver tenants = new OfProxy().tenants();
        request.setRemoteAddr("10.1.2.3");
        assertThat(tenant(tenants)).isEmpty();

        request.addHeader("X-Tenant", "acme");
        assertThat(tenant(tenants)).contains("acme");
        request.setRemoteAddr("11.1.2.3");
        assertThat(tenant(tenants)).isEmpty();

        request.setRemoteAddr("10.1.2.3");
        request.addHeader("X-Tenant", "umbrella");
        assertThat(tenant(tenants)).isEmpty();
    }

    /** The code on the page. */
    private static final class OfProxy {

        @Bean
        TenantResolver tenants() {
            IpAddressMatcher proxy = new IpAddressMatcher("10.0.0.0/8");
            return request -> Optional.of(request.header("X-Tenant"))
                    .filter(names -> names.size() == 1)
                    .filter(names ->
                            request.remoteAddress().filter(proxy::matches).isPresent())
                    .map(names -> names.get(0));
        }
    }

    private static TenantResolver apiKeys() {
        return new ApiKeyTenants("X-API-Key", List.of(new ApiKey("acme", ACME), new ApiKey("umbrella", UMBRELLA)));
    }

    private Optional<String> tenant(TenantResolver resolver) {
        return resolver.resolve(IncomingServletRequest.of(request));
    }

    private static JwtAuthenticationToken token(Map<String, Object> claims, boolean verified) {
        Jwt jwt = Jwt.withTokenValue("token")
                .header("alg", "RS256")
                .issuedAt(Instant.EPOCH)
                .claims(all -> all.putAll(claims))
                .build();
        JwtAuthenticationToken token = new JwtAuthenticationToken(jwt);
        token.setAuthenticated(verified);
        return token;
    }
}
