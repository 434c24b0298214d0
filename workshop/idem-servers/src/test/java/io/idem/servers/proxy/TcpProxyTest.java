package io.idem.servers.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.servers.RunningRedis;
import io.idem.servers.SharedServers;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the proxy in front of a Redis, with inline commands. */
class TcpProxyTest {

    private final RunningRedis redis = SharedServers.redis();
    private final TcpProxy proxy = TcpProxy.to(redis.host(), redis.port());
    private final String key = "proxy:" + UUID.randomUUID();

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void everythingPassesAtFirst() throws IOException {
        try (Socket client = connect()) {
            assertThat(ask(client, "SET " + key + " 1", 5)).isEqualTo("+OK\r\n");
            assertThat(proxy.connections()).isEqualTo(1);
        }
        Awaitility.await().until(() -> proxy.connections() == 0);
    }

    @Test
    void aCutResetsOpenConnectionsAndNewOnesPass() throws IOException {
        try (Socket client = connect()) {
            assertThat(ask(client, "PING", 7)).isEqualTo("+PONG\r\n");
            proxy.cut();
            assertThatThrownBy(() -> ask(client, "PING", 7)).isInstanceOf(SocketException.class);
        }
        try (Socket client = connect()) {
            assertThat(ask(client, "PING", 7)).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void refusedConnectionsPassAgainAtTheSamePort() throws IOException {
        proxy.refuse();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        proxy.pass();
        try (Socket client = connect()) {
            assertThat(ask(client, "PING", 7)).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void aBlackHoleHoldsBackWhatLaterArrives() throws IOException {
        try (Socket client = connect();
                Socket direct = new Socket(redis.host(), redis.port())) {
            assertThat(ask(client, "PING", 7)).isEqualTo("+PONG\r\n");
            proxy.blackHole();
            client.setSoTimeout(100);
            assertThatThrownBy(() -> ask(client, "SET " + key + " 1", 5)).isInstanceOf(SocketTimeoutException.class);
            assertThat(ask(direct, "EXISTS " + key, 4)).isEqualTo(":0\r\n");

            proxy.pass();
            client.setSoTimeout(30_000);
            assertThat(read(client, 5)).isEqualTo("+OK\r\n");
        }
    }

    @Test
    void aLostReplyLeavesTheRequestDone() throws Exception {
        try (Socket client = connect();
                Socket other = connect();
                Socket direct = new Socket(redis.host(), redis.port())) {
            CompletableFuture<Void> lost = proxy.loseReplyTo(key);
            assertThat(ask(other, "PING", 7)).isEqualTo("+PONG\r\n");
            assertThatThrownBy(() -> ask(client, "INCR " + key, 4)).isInstanceOf(SocketException.class);

            lost.get(10, TimeUnit.SECONDS);
            assertThat(ask(direct, "INCR " + key, 4)).isEqualTo(":2\r\n");
            assertThat(ask(other, "INCR " + key, 4)).isEqualTo(":3\r\n");
        }
    }

    @Test
    void aForgottenConnectionStaysOpenAndSilentAndNewOnesPass() throws IOException {
        try (Socket client = connect()) {
            assertThat(ask(client, "PING", 7)).isEqualTo("+PONG\r\n");
            proxy.forget();
            client.setSoTimeout(100);
            assertThatThrownBy(() -> ask(client, "PING", 7)).isInstanceOf(SocketTimeoutException.class);
        }
        try (Socket client = connect()) {
            assertThat(ask(client, "PING", 7)).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void newConnectionsAreLedElsewhereAndOpenOnesStay() throws IOException {
        try (Socket client = connect()) {
            assertThat(ask(client, "PING", 7)).isEqualTo("+PONG\r\n");
            proxy.leadTo("127.0.0.1", 1);
            assertThat(ask(client, "PING", 7)).isEqualTo("+PONG\r\n");
        }
        try (Socket client = connect()) {
            assertThatThrownBy(() -> ask(client, "PING", 7)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void aTargetThatIsAwayLooksLikeAReset() throws IOException {
        try (TcpProxy toNobody = TcpProxy.to("127.0.0.1", 1);
                Socket client = new Socket(toNobody.host(), toNobody.port())) {
            assertThatThrownBy(() -> ask(client, "PING", 7)).isInstanceOf(SocketException.class);
        }
    }

    private Socket connect() throws IOException {
        return new Socket(proxy.host(), proxy.port());
    }

    private static String ask(Socket socket, String command, int replyLength) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        return read(socket, replyLength);
    }

    private static String read(Socket socket, int length) throws IOException {
        byte[] reply = socket.getInputStream().readNBytes(length);
        if (reply.length < length) {
            throw new SocketException("closed");
        }
        return new String(reply, StandardCharsets.US_ASCII);
    }
}
