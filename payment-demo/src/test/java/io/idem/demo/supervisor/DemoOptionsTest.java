package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.demo.report.Store;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTest {

    private static DemoOptions parse(String... arguments) {
        return DemoOptions.parse(List.of(arguments), () -> 77);
    }

    @Test
    void withoutOptionsTheDemoStaysUpWithTheInboxAndARandomSeed() {
        DemoOptions options = parse();

        assertThat(options.verify()).isFalse();
        assertThat(options.store()).isEqualTo(Store.REDIS);
        assertThat(options.inbox()).isTrue();
        assertThat(options.external()).isFalse();
        assertThat(options.payments()).isEqualTo(DemoOptions.DEFAULT_PAYMENTS);
        assertThat(options.port()).isEmpty();
        assertThat(options.seed()).isEqualTo(77);
        assertThat(options.page()).isFalse();
        assertThat(options.pagePort()).isEmpty();
    }

    @Test
    void thePageMayBeAllThatIsWanted() {
        DemoOptions options = parse("--page", "--page-port", "9001");

        assertThat(options.page()).isTrue();
        assertThat(options.pagePort()).hasValue(9001);
    }

    @Test
    void everyOptionIsRead() {
        DemoOptions options =
                parse("--verify", "--payments", "30", "--seed", "-4", "--port", "9000", "--external", "--no-inbox");

        assertThat(options.verify()).isTrue();
        assertThat(options.payments()).isEqualTo(30);
        assertThat(options.seed()).isEqualTo(-4);
        assertThat(options.port()).hasValue(9000);
        assertThat(options.external()).isTrue();
        assertThat(options.inbox()).isFalse();
    }

    @Test
    void theInboxMayBeTheOnlyStore() {
        DemoOptions options = parse("--store", "inbox", "--verify", "--external", "--payments", "50");

        assertThat(options.store()).isEqualTo(Store.INBOX);
        assertThat(options.verify()).isTrue();
        assertThat(options.external()).isTrue();
        assertThat(parse("--store", "redis", "--no-inbox").store()).isEqualTo(Store.REDIS);
    }

    @ParameterizedTest
    @CsvSource({
        "--verify --page, '--verify does not stay up, so there is no --page to look at'",
        "--store inbox --no-inbox, '--store inbox leaves everything to the inbox, so --no-inbox leaves nothing'",
        "--no-inbox --store inbox, '--store inbox leaves everything to the inbox, so --no-inbox leaves nothing'",
        "--store, '--store needs a name: redis or inbox'",
        "--store valkey, '--store must be redis or inbox, not ''valkey'''",
        "--store --verify, '--store must be redis or inbox, not ''--verify'''",
        "--page-port 0, '--page-port must be from 1 to 65535, not 0'",
        "--paymnts 3, unknown option '--paymnts'",
        "story, unknown option 'story'",
        "--payments, --payments needs a number",
        "--payments many, '--payments needs a whole number, not ''many'''",
        "--payments 0, '--payments must be from 1 to 100000, not 0'",
        "--port 65536, '--port must be from 1 to 65535, not 65536'",
        "--seed 1.5, '--seed needs a whole number, not ''1.5'''",
    })
    void aWrongCommandLineIsRefusedByName(String commandLine, String complaint) {
        assertThatThrownBy(() -> parse(commandLine.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessage(complaint);
    }
}
