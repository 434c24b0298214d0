package io.idem.http.clients;

import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.servers.junit.RequiresHttpClients;
import io.idem.servers.process.FreePorts;
import io.idem.servers.process.OwnProcess;
import io.idem.servers.process.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An nginx in front of an application that it takes for two: what one does not answer in time, it sends to the other. */
final class RetryingProxy implements AutoCloseable {

    private final OwnProcess nginx;
    private final int port;

    private RetryingProxy(OwnProcess nginx, int port) {
        this.nginx = nginx;
        this.port = port;
    }

    static RetryingProxy before(App app) {
        Path folder = RunDirectory.ofThisJvm().newDirectory("nginx");
        int port = FreePorts.next();
        Path settings = folder.resolve("nginx.conf");
        try {
            Files.writeString(settings, settings(port, app.port()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        String program = Path.of(System.getenv(RequiresHttpClients.FOLDER))
                .resolve("nginx")
                .toString();
        RetryingProxy proxy = new RetryingProxy(
                OwnProcess.start(
                        List.of(program, "-e", "stderr", "-p", folder.toString(), "-c", settings.toString()),
                        Map.of(),
                        folder.resolve("log")),
                port);
        await().until(proxy::listens);
        return proxy;
    }

    private static String settings(int port, int upstream) {
        return """
                daemon off;
                master_process off;
                error_log stderr;
                pid nginx.pid;
                events {}
                http {
                  access_log off;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                  upstream payments {
                    server 127.0.0.1:%2$d;
                    server 127.0.0.1:%2$d;
                  }
                  server {
                    listen 127.0.0.1:%1$d;
                    location / {
                      proxy_pass http://payments;
                      proxy_read_timeout 600ms;
                      proxy_next_upstream error timeout http_503 non_idempotent;
                    }
                  }
                }
                """.formatted(port, upstream);
    }

    private boolean listens() {
        try (Socket connected = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return connected.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public void close() {
        nginx.kill();
    }
}
