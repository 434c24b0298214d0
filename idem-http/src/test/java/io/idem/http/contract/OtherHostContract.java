package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A replay that goes to another host name than the first answer. */
@ExtendWith(OutputCaptureExtension.class)
public abstract class OtherHostContract {

    private static final String WARNING = "recorded under another host name";

    private final App app;

    protected OtherHostContract(App app) {
        this.app = app;
    }

    @Test
    void aReplayUnderAnotherHostNameIsToldOnceForItsScope(CapturedOutput output) throws IOException {
        String key = UUID.randomUUID().toString();
        String first = post(key, "acme.example");

        assertThat(post(key, "ACME.example:8443")).contains(Client.REPLAYED).doesNotContain("host=");
        assertThat(post(key, "127.0.0.1")).contains(Client.REPLAYED);
        assertThat(post(key, "[::1]:8080")).contains(Client.REPLAYED);
        assertThat(first).doesNotContain("host=");
        assertThat(output).doesNotContain(WARNING);

        assertThat(post(key, "beta.example")).contains(Client.REPLAYED).doesNotContain("host=");
        post(key, "gamma.example");

        assertThat(output).containsOnlyOnce(WARNING).contains("beta.example", "idem.http.tenant-parts=[host]");
    }

    private String post(String key, String host) throws IOException {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send("POST /operations/plain HTTP/1.1\r\nHost: " + host
                    + "\r\nConnection: close\r\nContent-Length: 0\r\n" + Client.KEY + ": " + key + "\r\n\r\n");
            return connection.answer();
        }
    }
}
