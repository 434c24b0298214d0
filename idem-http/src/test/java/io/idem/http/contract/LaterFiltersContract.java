package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idem.ConfigurationException;
import io.idem.internal.Causes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Filters behind that of idem are not called for replays, so those that could refuse a caller must not stand there. */
@Tag("servers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
public abstract class LaterFiltersContract {

    private static final String SINGLE = "idem.http.tenant=SINGLE";

    private final WebApplicationType type;
    private final Class<?> guarded;
    private final Class<?> inFront;

    /**
     * @param guarded an application whose guard is the bean "unordered"
     * @param inFront an application whose guard is called before idem's filter
     */
    protected LaterFiltersContract(WebApplicationType type, Class<?> guarded, Class<?> inFront) {
        this.type = type;
        this.guarded = guarded;
        this.inFront = inFront;
    }

    /** Returns applications that are refused, with the name that the refusal says. */
    protected abstract List<Object[]> behind();

    /** Returns further such applications, which run in the extended tier only. */
    protected abstract List<Object[]> furtherBehind();

    /** Returns applications of whose filters none could refuse a caller behind idem's. */
    protected abstract List<Class<?>> harmless();

    /** Returns applications in which Spring Security stands behind idem's filter, with the settings that put it there. */
    protected abstract List<Object[]> securityBehind();

    @ParameterizedTest
    @MethodSource("behind")
    void filtersThatCouldRefuseACallerAreRefusedByName(Class<?> application, String name) {
        ConfigurationException refused = refused(application, SINGLE);

        assertThat(refused).hasMessageContaining("idem.http.tenant=SINGLE").hasMessageContaining(name);
        assertThat(refused.action()).contains("idem.http.filters-behind", "@Order on the class");
    }

    @Tag("extended")
    @ParameterizedTest
    @MethodSource("furtherBehind")
    void otherKindsOfFiltersAreRefusedByNameUnlessTheyAreListed(Class<?> application, String name) {
        assertThat(refused(application, SINGLE)).hasMessageContaining(name);
        start(application, SINGLE, "idem.http.filters-behind=" + name).close();
    }

    @Tag("extended")
    @ParameterizedTest
    @MethodSource("behind")
    void filtersThatAreListedMayStandBehind(Class<?> application, String name) {
        start(application, SINGLE, "idem.http.filters-behind=" + name).close();
    }

    @Test
    void aFilterThatIsListedMayStandBehind() {
        start(guarded, SINGLE, "idem.http.filters-behind=other,unordered").close();
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void filtersThatCannotRefuseACallerMayStandBehind(Class<?> application) {
        start(application, SINGLE).close();
    }

    @Test
    void aFilterInFrontRefusesStrangersTheStoredAnswer() {
        try (App app = start(inFront, SINGLE)) {
            String key = Client.newKey();
            assertThat(app.client()
                            .post("/orders", key, request -> request.header("X-Pass", "mine"))
                            .body())
                    .isEqualTo("secret");

            Client.Answer stranger = app.client().post("/orders", key);

            assertThat(stranger.status()).isEqualTo(401);
            assertThat(stranger.body()).isEmpty();
        }
    }

    @Test
    void aRouteOfOneTenantIsAsMuchForAllCallers() {
        assertThat(refused(guarded, "idem.http.tenant=PRINCIPAL", "single-route=true"))
                .hasMessageContaining("unordered");
    }

    @Test
    void aSenderThatIsVerifiedBehindIsNotVerifiedForDuplicates() {
        String[] webhook = {
            "idem.http.tenant=PRINCIPAL",
            "idem.http.routes[1].path=/hooks",
            "idem.http.routes[1].key.preset=github",
            "idem.http.routes[1].signature=verified-before"
        };

        assertThat(refused(guarded, webhook)).hasMessageContaining("unordered");
        start(inFront, webhook).close();
        webhook[3] = "idem.http.routes[1].signing-secrets=secret";
        start(guarded, webhook).close();
    }

    @Tag("extended")
    @ParameterizedTest
    @MethodSource("behind")
    void withOtherTenantsFiltersMayStandBehind(Class<?> application) {
        start(application, "idem.http.tenant=PRINCIPAL").close();
    }

    @Test
    void withOtherTenantsTheReportNamesFiltersBehind(CapturedOutput output) {
        start(guarded, "idem.http.tenant=PRINCIPAL").close();

        assertThat(output)
                .containsOnlyOnce("idem gives replays without calling filters that stand behind its own: unordered (");
    }

    @ParameterizedTest
    @MethodSource("securityBehind")
    void springSecurityBehindIsRefusedWithEveryTenant(Class<?> application, String setting) {
        for (String tenant : List.of("SINGLE", "PRINCIPAL")) {
            ConfigurationException refused = refused(application, "idem.http.tenant=" + tenant, setting);

            assertThat(refused).hasMessageContaining("Spring Security");
            assertThat(refused.action()).contains("spring.security.filter.order", "WebFilterChainProxy");
        }
    }

    private App start(Class<?> application, String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("idem.http.routes[0].path=/orders");
        return App.start(type, application, all.toArray(String[]::new));
    }

    private ConfigurationException refused(Class<?> application, String... settings) {
        Throwable failure = catchThrowable(() -> start(application, settings).close());
        assertThat(failure).as("a refused start").isNotNull();
        ConfigurationException refused = Causes.find(failure, ConfigurationException.class);
        assertThat(refused).as("the cause of %s", failure).isNotNull();
        return Objects.requireNonNull(refused);
    }
}
