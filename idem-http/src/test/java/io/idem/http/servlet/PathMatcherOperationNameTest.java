package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.OperationNameContract;
import io.idem.http.contract.Runs;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** The handlers of an application that finds them by a {@code PathMatcher}. */
@AppTest(
        value = PathMatcherOperationNameTest.Application.class,
        settings = {OperationNameContract.SETTINGS, "spring.mvc.pathmatch.matching-strategy=ant_path_matcher"})
class PathMatcherOperationNameTest extends OperationNameContract {

    private final Client client;

    PathMatcherOperationNameTest(App app) {
        super(app);
        this.client = app.client();
    }

    /** Path matchers have no such patterns. */
    @Override
    protected void oneKeyAtTwoHandlersOfTheRestOfAPathIsRefused() {}

    /** A pattern that the other parser refuses. */
    @Test
    void oneKeyAtTwoHandlersOfAPatternForPathMatchersOnlyIsRefused() {
        String key = Client.newKey();

        assertThat(client.post("/operations/a/b/end", key, request -> request.header("X-Kind", "card"))
                        .body())
                .isEqualTo("card 1");
        assertThat(client.post("/operations/a/b/end", key, request -> request.header("X-Kind", "transfer"))
                        .status())
                .isEqualTo(422);
    }

    @RestController
    static class AntPatterns {

        private final Runs runs;

        AntPatterns(Runs runs) {
            this.runs = runs;
        }

        @PostMapping(path = "/operations/a/**/end", headers = "X-Kind=card")
        String card(@RequestHeader(Client.KEY) String key) {
            return "card " + runs.enter(key);
        }

        @PostMapping(path = "/operations/a/{one}/end", headers = "X-Kind=transfer")
        String transfer(@RequestHeader(Client.KEY) String key) {
            return "transfer " + runs.enter(key);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({OperationNameTest.Application.class, AntPatterns.class})
    static class Application {}
}
