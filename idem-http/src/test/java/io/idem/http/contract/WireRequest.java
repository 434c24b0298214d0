package io.idem.http.contract;

import java.nio.charset.StandardCharsets;

/** A request as it is sent, without the lines that all have; its texts stand for bytes. */
public record WireRequest(String name, String method, String path, String headers, String body) {

    /** Creates a POST without a body. */
    public static WireRequest post(String path) {
        return new WireRequest(path, "POST", path, "Content-Length: 0\r\n", "");
    }

    /** Creates a POST with a body, named by both. */
    public static WireRequest post(String path, String type, String body) {
        String headers = "Content-Type: " + type + "\r\nContent-Length: " + body.length() + "\r\n";
        return new WireRequest(path + " " + type + " " + body, "POST", path, headers, body);
    }

    /** Returns this request with another method. */
    public WireRequest by(String other) {
        return new WireRequest(other + " " + name, other, path, headers, body);
    }

    /** Returns this request with one more header. */
    public WireRequest with(String header) {
        return new WireRequest(name + " " + header, method, path, headers + header + "\r\n", body);
    }

    byte[] bytes(String key) {
        String request =
                method + " " + path + " HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\nIdempotency-Key: " + key
                        + "\r\n" + headers + "\r\n" + body;
        return request.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
        return name;
    }
}
