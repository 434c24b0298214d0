package io.idem.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.http.KeyRules;
import io.idem.http.RouteOptions;
import io.idem.http.StoredAnswers;
import io.idem.http.StoredResponse;
import io.idem.http.StoringPolicy;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.web.servlet.function.ServerResponse;

class IntakeRouteTest {

    private static final RouteOptions DEFAULTS = RouteOptions.builder(
                    new Scope("http.intake"), ExecutionPolicy.defaults())
            .build();

    @Test
    void aRouteIsAHandOffRouteUnlessItSaysOtherwise() {
        assertThat(options(options -> {}).handOff()).isTrue();
        assertThat(options(options -> options.handOff(false)).handOff()).isFalse();
    }

    @Test
    void aKeyIsRequiredUnlessTheRouteSaysOtherwise() {
        assertThat(options(options -> {}).required()).isTrue();
        assertThat(options(options -> options.required(false)).required()).isFalse();
    }

    @Test
    void serverErrorsAreNotStoredWhateverTheRouteSays() {
        RouteOptions options = options(route -> route.storing(StoredAnswers.EVERYTHING));

        assertThat(options.storing().stores(429)).isTrue();
        assertThat(options.storing().stores(503)).isFalse();
    }

    @Test
    void aRoutesOwnPolicyIsAskedForTheWholeAnswer() {
        StoringPolicy byBody = new StoringPolicy() {
            @Override
            public boolean stores(int status) {
                return true;
            }

            @Override
            public boolean stores(StoredResponse answer) {
                return answer.body().length > 0;
            }
        };

        StoringPolicy policy = options(route -> route.storing(byBody)).storing();

        assertThat(policy.stores(StoredResponse.of(200, List.of(), new byte[] {1})))
                .isTrue();
        assertThat(policy.stores(StoredResponse.of(200, List.of(), new byte[0])))
                .isFalse();
        assertThat(policy.stores(StoredResponse.of(500, List.of(), new byte[] {1})))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 35", "37, 64"})
    void aGeneratedKeyThatTheRulesWouldRefuseEndsTheStart(int min, int max) {
        KeyRules rules = new KeyRules(min, max, KeyRules.Format.ANY);

        assertThatThrownBy(() -> options(route -> route.required(false).keyRules(rules)))
                .isInstanceOfSatisfying(ConfigurationException.class, refused -> {
                    assertThat(refused.problem()).contains("POST /v1/payments", "key-required=false");
                    assertThat(refused.action()).contains("min-key-length", "max-key-length", "key-required=true");
                });
        assertThat(options(route -> route.keyRules(rules)).required()).isTrue();
    }

    @Test
    void aVariableOfTheWholeRestIsNotThatOfASegment() {
        IntakeRouter router = router("/v1/{a}").POST("/v1/{*a}", IntakeRouteTest::answer);

        assertThat(new IntakeRoutes(router.routes()).routes()).hasSize(2);
    }

    @Test
    void routesThatDifferInTheNamesOfVariablesOnlyAreTheSame() {
        IntakeRouter router = router("/v1/{a}/x").POST("/v1/{b}/x", IntakeRouteTest::answer);

        assertThatThrownBy(() -> new IntakeRoutes(router.routes()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("POST /v1/{b}/x");
    }

    @Test
    void aRouterIsNotChangedByWhatIsAddedToIt() {
        IntakeRouter router = router("/v1/payments");

        assertThat(router.POST("/v1/payouts", IntakeRouteTest::answer).routes()).hasSize(2);
        assertThat(router.routes()).hasSize(1);
    }

    private static RouteOptions options(Consumer<RouteOptions.Builder> refine) {
        List<IntakeRoute> routes = IntakeRouter.create()
                .POST("/v1/payments", refine, IntakeRouteTest::answer)
                .routes();
        RouteOptions.Builder options = DEFAULTS.toBuilder();
        routes.get(0).toIdempotentRoute().refine().accept(options);
        return options.build();
    }

    private static IntakeRouter router(String path) {
        return IntakeRouter.create().POST(path, IntakeRouteTest::answer);
    }

    private static ServerResponse answer(IntakeRequest request) {
        return ServerResponse.accepted().body(request.id());
    }
}
