package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;

/**
 * The same requests, byte for byte, to two instances of one application, of which one has no idem. The first answer and its replay must be
 * those of the instance without idem, but for what the page of the filter says.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
public abstract class SameAnswerContract {

    /** The length of a line in a chunked body. */
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]+)\r\n");

    private static final Pattern OF_THE_MOMENT =
            Pattern.compile("\"(timestamp|requestId)\":\"[^\"]*\"|<div id='created'>[^<]*</div>|\\[[0-9a-f-]+]");

    private static final List<String> LEFT_OUT = List.of("date:", "content-length:", "idempotency-replayed:");

    private static final String INTERIM = "HTTP/1.1 100 ";

    private final WebApplicationType type;
    private final Class<?> application;
    private final Pattern replayedOtherwise;
    private App with;
    private App without;

    /** @param replayedOtherwise names of the requests whose replays differ, as the page says */
    protected SameAnswerContract(WebApplicationType type, Class<?> application, String replayedOtherwise) {
        this.type = type;
        this.application = application;
        this.replayedOtherwise = Pattern.compile(replayedOtherwise);
    }

    @BeforeAll
    void start() {
        with = App.start(
                type,
                application,
                "idem.http.tenant=SINGLE",
                "idem.http.max-response-body=64KB",
                "idem.http.routes[0].path=/**",
                "idem.http.routes[0].methods=POST,PUT,PATCH,DELETE");
        without = App.start(type, application, "idem.http.enabled=false");
    }

    @AfterAll
    void stop() {
        with.close();
        without.close();
    }

    /** Returns the requests, named by what they send. */
    protected abstract Stream<WireRequest> requests();

    /** Returns requests with forms that are not well-formed. */
    protected abstract Stream<WireRequest> malformed();

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void theAnswerAndItsReplayAreThoseOfTheApplicationWithoutIdem(WireRequest request) throws IOException {
        String key = Client.newKey();
        String expected = answer(without, request, key);

        assertThat(comparable(answer(with, request, key), false))
                .as("first answer to " + request)
                .isEqualTo(comparable(expected, false));
        if (!replayedOtherwise.matcher(request.name()).find()) {
            assertThat(comparable(answer(with, request, key), true))
                    .as("replay to " + request)
                    .isEqualTo(comparable(expected, true));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void aFormThatIsNotWellFormedIsRefusedBeforeItsHandler(WireRequest request) throws IOException {
        assertThat(answer(without, request, Client.newKey())).as("without idem").doesNotContain(" 200 ");
        assertThat(answer(with, request, Client.newKey()))
                .startsWith("HTTP/1.1 400")
                .contains("urn:idem:problem:body-unreadable");
    }

    private static String answer(App app, WireRequest request, String key) throws IOException {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send(request.bytes(key));
            return connection.answer();
        }
    }

    /** Returns an answer without its framing and what differs between two answers of one server, its headers sorted by their names. */
    private static String comparable(String answer, boolean replay) {
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0) {
            return answer;
        }
        String body = answer.substring(end + 4);
        if (answer.startsWith(INTERIM)) {
            return answer.substring(0, end) + comparable(body, replay);
        }
        List<String> head = new ArrayList<>(List.of(answer.substring(0, end).split("\r\n")));
        String status = head.remove(0);
        boolean chunked = head.removeIf("transfer-encoding: chunked"::equalsIgnoreCase);
        List<String> headers = head.stream()
                .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)
                        + line.substring(line.indexOf(':')))
                .filter(line -> LEFT_OUT.stream().noneMatch(line::startsWith))
                .filter(line -> !replay || !line.startsWith("set-cookie:"))
                .sorted(Comparator.comparing(line -> line.substring(0, line.indexOf(':'))))
                .toList();
        return status + "\n" + String.join("\n", headers) + "\n\n"
                + OF_THE_MOMENT.matcher(chunked ? withoutChunks(body) : body).replaceAll("MOMENT");
    }

    private static String withoutChunks(String body) {
        StringBuilder content = new StringBuilder();
        Matcher chunk = CHUNK.matcher(body);
        int position = 0;
        while (chunk.find(position) && chunk.start() == position) {
            int length = Integer.parseInt(chunk.group(1), 16);
            if (length == 0) {
                return content + (body.endsWith("0\r\n\r\n") ? "" : "TRAILER " + body.substring(chunk.end()));
            }
            content.append(body, chunk.end(), Math.min(body.length(), chunk.end() + length));
            position = chunk.end() + length + 2;
        }
        return content + "CUT";
    }
}
