package io.idem.servers.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** A listening socket and the thread that accepts clients. */
final class Door {

    private final ServerSocket socket;
    private final Thread thread;

    private Door(ServerSocket socket, Consumer<Socket> onClient) {
        this.socket = socket;
        this.thread = Threads.start("proxy-" + socket.getLocalPort(), () -> accept(onClient));
    }

    static Door open(InetSocketAddress address, Consumer<Socket> onClient) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(address);
            return new Door(socket, onClient);
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy cannot listen on " + address, e);
        }
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Stops listening; returns when no more clients are accepted. */
    void close() {
        try {
            socket.close();
            // The kernel accepts clients until the thread has left its accept call.
            thread.join();
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy cannot close its port", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept(Consumer<Socket> onClient) {
        try {
            while (true) {
                onClient.accept(socket.accept());
            }
        } catch (IOException e) {
            if (!socket.isClosed()) {
                throw new UncheckedIOException("The proxy can no longer accept connections", e);
            }
        }
    }
}
