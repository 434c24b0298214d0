package io.idem.http.servlet;

import io.idem.http.contract.WireRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.view.RedirectView;

/** Servlets and handlers that answer in every way in which a container has a say. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Shop.Parts.class, WirePages.Handlers.class})
class WirePages {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String PLAIN = "text/plain;charset=UTF-8";

    /** Spring Security's own headers depend on when its wrapper of the response sees the answer begin. */
    @Bean
    SecurityFilterChain open(HttpSecurity http) throws Exception {
        return http.csrf(CsrfConfigurer::disable)
                .headers(HeadersConfigurer::disable)
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @Bean
    ServletRegistrationBean<HttpServlet> raw() {
        Map<String, Page> pages = pages();
        return new ServletRegistrationBean<>(
                new HttpServlet() {
                    @Override
                    protected void service(HttpServletRequest request, HttpServletResponse response)
                            throws ServletException, IOException {
                        String name = request.getPathInfo().substring(1);
                        pages.getOrDefault(name, WirePages::echo).answer(request, response);
                    }
                },
                "/raw/*");
    }

    static Stream<WireRequest> requests() {
        return Stream.of(
                        pages().keySet().stream().map(name -> WireRequest.post("/raw/" + name)),
                        Stream.of(
                                        "/raw/error-message",
                                        "/raw/error-after-write",
                                        "/raw/error-then-write",
                                        "/raw/throws",
                                        "/mvc/refused")
                                .map(path -> WireRequest.post(path).with("Accept: text/html")),
                        handled(),
                        forms(),
                        bodies())
                .flatMap(requests -> requests);
    }

    private static Stream<WireRequest> handled() {
        return Stream.of(
                        "redirect",
                        "redirect-view",
                        "location",
                        "created",
                        "text",
                        "latin",
                        "json",
                        "long",
                        "none",
                        "no-content",
                        "reset-content",
                        "refused",
                        "teapot",
                        "fails",
                        "unwritable",
                        "headers")
                .map(name -> WireRequest.post("/mvc/" + name));
    }

    private static Stream<WireRequest> forms() {
        return Stream.of(
                        Stream.of(
                                        "a=b",
                                        "a",
                                        "a=1&a=2",
                                        "a=1&",
                                        "a=%C3%A4",
                                        "a=+",
                                        "a=%2B",
                                        "a=b;c=d",
                                        "a==b",
                                        "%00=%00",
                                        "a=%00",
                                        "a=\r\n",
                                        "a=\u00c3\u00a4",
                                        "+=+",
                                        "q=2",
                                        "\u00c3\u00a4=1")
                                .map(form -> WireRequest.post("/raw/echo?q=1", FORM, form)),
                        Stream.of(
                                        "Application/X-WWW-Form-Urlencoded",
                                        FORM + "x",
                                        FORM + " ; x=y",
                                        " " + FORM,
                                        FORM + ";charset=no-such")
                                .map(type -> WireRequest.post("/raw/echo", type, "a=%C3%A4")),
                        Stream.of("PUT", "PATCH", "DELETE")
                                .map(method -> WireRequest.post("/raw/echo?q=1", FORM, "a=%C3%A4")
                                        .by(method)),
                        Stream.of(
                                WireRequest.post("/raw/echo?way=both", FORM, "a=b"),
                                WireRequest.post("/raw/echo?q=%zz")),
                        Stream.of("param", "body", "bytes", "map")
                                .map(name -> WireRequest.post("/mvc/" + name, FORM, "a=%C3%A4&b=1")))
                .flatMap(requests -> requests);
    }

    /** Returns forms that containers refuse. */
    static Stream<WireRequest> malformed() {
        return Stream.of(
                        "a=%",
                        "a=%zz", "a=%4", "a=%E4", "a=%FF%FE", "a=\u00e4", "%=1", "{\"rate\":\"5%\"}", "a=%C3%A4&b=%zz")
                .flatMap(form -> Stream.of("/raw/echo", "/mvc/param", "/mvc/body", "/mvc/map")
                        .map(path -> WireRequest.post(path, FORM, form)));
    }

    private static Stream<WireRequest> bodies() {
        Stream<String> types = Stream.of(
                "application/json",
                "application/json;charset=utf-16",
                "text/plain",
                "text/plain;charset=iso-8859-1",
                "text/plain;charset=no-such",
                "text/plain;charset=\"",
                "text/plain;charset=",
                "garbage",
                "/",
                "text/",
                "",
                "text/plain;charset=utf-8;charset=utf-16");
        return Stream.concat(
                types.flatMap(type -> Stream.of(
                                "/raw/echo", "/raw/echo?way=reader", "/raw/echo?way=stream", "/mvc/body", "/mvc/json")
                        .map(path -> WireRequest.post(path, type, "{\"a\":\"\u00c3\u00a4\"}"))),
                Stream.of("stream", "reader", "both", "trailers")
                        .flatMap(way -> Stream.of(
                                new WireRequest(
                                        "chunked " + way,
                                        "POST",
                                        "/raw/echo?way=" + way,
                                        "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n",
                                        "3\r\nabc\r\n0\r\nX-End: 1\r\n\r\n"),
                                new WireRequest("no length " + way, "POST", "/raw/echo?way=" + way, "", ""),
                                WireRequest.post("/raw/echo?way=" + way, "text/plain", "abc"),
                                WireRequest.post("/raw/echo?way=" + way, "text/plain", "abc")
                                        .with("Expect: 100-continue"))));
    }

    /** Tells what a request brought, as the container sees it. */
    private static void echo(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String query = String.valueOf(request.getQueryString());
        String way = query.startsWith("way=") ? query.substring(4) : "";
        StringBuilder told = new StringBuilder();
        if (!way.isEmpty() && !way.equals("reader")) {
            told.append(new String(request.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        }
        if (way.equals("reader") || way.equals("both")) {
            told.append(request.getReader().lines().collect(Collectors.joining("\n")));
        }
        if (way.equals("trailers")) {
            told.append(request.isTrailerFieldsReady()).append(request.getTrailerFields());
        }
        told.append('\n')
                .append(request.getMethod())
                .append(' ')
                .append(query)
                .append(' ')
                .append(request.getContentType());
        told.append(' ').append(request.getContentLengthLong()).append(' ').append(request.getContentLength());
        told.append(' ').append(request.getCharacterEncoding()).append('\n');
        new TreeMap<>(request.getParameterMap())
                .forEach((name, values) -> told.append(name)
                        .append('=')
                        .append(Arrays.toString(values))
                        .append('\n'));
        told.append(request.getParameter("a")).append(Arrays.toString(request.getParameterValues("q")));
        response.setContentType(PLAIN);
        response.getOutputStream().write(told.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Page> pages() {
        Map<String, Page> pages = new LinkedHashMap<>();
        redirects(pages);
        errors(pages);
        lengths(pages);
        types(pages);
        headers(pages);
        flows(pages);
        return pages;
    }

    private static void redirects(Map<String, Page> pages) {
        List<String> locations = List.of(
                "/orders/1",
                "orders/1",
                "../orders/1",
                "./1",
                "?a=b",
                "#a",
                "/a#b",
                "/a b",
                "/a%20b",
                "/\u00e4",
                "/\u65e5",
                "//other.example/x",
                "https://other.example/x",
                "https://other.example",
                "",
                "/",
                "/a\\b",
                "/a?q=\u00e4&b=1 2",
                "mailto:a@b",
                "/a/../b",
                "/a//b",
                "/a|b",
                "http://[",
                "/%zz",
                "HTTP://Other.Example:80/x",
                "a:b",
                "/a;x=y",
                "/../x",
                "https://other.example/\u00e4 b");
        for (String location : locations) {
            pages.put(
                    "redirect-" + locations.indexOf(location), (request, response) -> response.sendRedirect(location));
        }
        pages.put("redirect-303", (request, response) -> response.sendRedirect("/x", 303));
        pages.put("redirect-301-kept", (request, response) -> {
            response.getWriter().write("kept");
            response.sendRedirect("/x", 301, false);
        });
        pages.put("redirect-kept-then-write", (request, response) -> {
            response.sendRedirect("/x", 302, false);
            response.getWriter().write("late");
        });
        pages.put("redirect-after-write", (request, response) -> {
            response.setHeader("X-Before", "1");
            response.setContentType("text/plain");
            response.getWriter().write("lost");
            response.sendRedirect("/x");
        });
        pages.put("redirect-then-write", (request, response) -> {
            response.sendRedirect("/x");
            response.setHeader("X-Late", "1");
            response.setStatus(200);
            response.getWriter().write("late");
        });
        pages.put("redirect-encoded", (request, response) -> response.sendRedirect(response.encodeRedirectURL("/x")));
        pages.put("redirect-200", (request, response) -> response.sendRedirect("/x", 200));
        pages.put("location-header", (request, response) -> {
            response.setStatus(302);
            response.setHeader("Location", "/a b#c");
        });
    }

    private static void errors(Map<String, Page> pages) {
        pages.put("error", (request, response) -> response.sendError(404));
        pages.put("error-message", (request, response) -> response.sendError(400, "not <here> \u00e4"));
        pages.put("error-after-write", (request, response) -> {
            response.setHeader("X-Before", "1");
            response.setContentType("text/csv");
            response.getWriter().write("lost");
            response.sendError(422, "no");
        });
        pages.put("error-then-write", (request, response) -> {
            response.sendError(404, "no");
            response.getWriter().write("late");
            response.getWriter().flush();
            response.setHeader("X-Late", "1");
        });
        pages.put("error-then-status", (request, response) -> {
            response.sendError(404);
            response.setStatus(200);
        });
        pages.put("error-twice", (request, response) -> {
            response.sendError(404);
            response.sendError(400);
        });
        for (int status : new int[] {200, 204, 302, 304, 401, 405, 409, 410, 428, 500, 503}) {
            pages.put("error-" + status, (request, response) -> response.sendError(status));
        }
        pages.put("throws", (request, response) -> {
            throw new IllegalStateException("ordered by a test");
        });
        pages.put("throws-after-write", (request, response) -> {
            response.setHeader("X-Before", "1");
            response.getWriter().write("lost");
            throw new ServletException("ordered by a test");
        });
    }

    private static void lengths(Map<String, Page> pages) {
        for (int declared : new int[] {0, 3, 4, 5}) {
            pages.put("length-" + declared, (request, response) -> {
                response.setContentLength(declared);
                response.getOutputStream().print("four");
            });
            pages.put("length-writer-" + declared, (request, response) -> {
                response.setHeader("Content-Length", Integer.toString(declared));
                response.getWriter().print("four");
            });
        }
        pages.put("length-alone", (request, response) -> response.setContentLength(4));
        pages.put("length-then-none", (request, response) -> {
            response.setContentLength(4);
            response.setHeader("Content-Length", null);
            response.getWriter().print("five5");
        });
        pages.put("length-garbage", (request, response) -> {
            response.setHeader("Content-Length", "abc");
            response.getWriter().print("four");
        });
        pages.put("length-negative", (request, response) -> {
            response.setContentLengthLong(-1);
            response.getWriter().print("four");
        });
        for (int size : new int[] {1, 8191, 8192, 8193, 20_000, 32_768, 32_769}) {
            pages.put("size-" + size, (request, response) -> {
                response.setContentType(PLAIN);
                response.getOutputStream().write("x".repeat(size).getBytes(StandardCharsets.UTF_8));
            });
            pages.put("size-declared-" + size, (request, response) -> {
                response.setContentLength(size);
                response.getOutputStream().write("x".repeat(size).getBytes(StandardCharsets.UTF_8));
            });
        }
        for (int status : new int[] {
            199, 200, 201, 202, 204, 205, 206, 299, 300, 304, 305, 306, 400, 402, 404, 410, 413, 418, 451, 499, 599,
            600, 999
        }) {
            pages.put("status-" + status, (request, response) -> response.setStatus(status));
            pages.put("status-body-" + status, (request, response) -> {
                response.setStatus(status);
                response.setContentType("text/plain");
                response.getWriter().print("four");
            });
        }
        pages.put("status-204-length", (request, response) -> {
            response.setStatus(204);
            response.setContentLength(4);
            response.getOutputStream().print("four");
        });
    }

    private static void types(Map<String, Page> pages) {
        List<String> types = List.of(
                "text/plain",
                "text/plain;charset=ISO-8859-1",
                "text/plain; charset=utf-8",
                "TEXT/Plain ; Charset=\"utf-8\"",
                "application/json",
                "text/html;charset=utf-8;foo=bar",
                "text/html;foo=bar;charset=utf8",
                "text/plain;charset=bogus",
                "garbage",
                "",
                "text/xml",
                "application/xml",
                "image/png",
                "text/plain;foo=\"a;charset=x\"",
                "application/problem+json",
                "text/plain;charset=");
        for (String type : types) {
            pages.put("type-writer-" + types.indexOf(type), (request, response) -> {
                response.setContentType(type);
                response.getWriter().print("\u00e4");
            });
            pages.put("type-stream-" + types.indexOf(type), (request, response) -> {
                response.setContentType(type);
                response.getOutputStream().write('a');
            });
            pages.put("type-header-" + types.indexOf(type), (request, response) -> {
                response.setHeader("Content-Type", type);
                response.getWriter().print("\u00e4");
            });
            pages.put("type-asked-" + types.indexOf(type), (request, response) -> {
                response.setContentType(type);
                String before = state(response);
                response.getWriter();
                response.setHeader("X-Before", before);
                response.setHeader("X-After", state(response));
            });
            pages.put("type-no-body-" + types.indexOf(type), (request, response) -> response.setContentType(type));
        }
        pages.put("writer-alone", (request, response) -> response.getWriter().print("\u00e4"));
        pages.put(
                "stream-alone",
                (request, response) -> response.getOutputStream().print("a"));
        pages.put("encoding-stream", (request, response) -> {
            response.setCharacterEncoding("UTF-8");
            response.getOutputStream().print("a");
        });
        pages.put("encoding-stream-typed", (request, response) -> {
            response.setContentType("text/plain");
            response.setCharacterEncoding("ISO-8859-15");
            response.getOutputStream().print("a");
        });
        pages.put("encoding-writer", (request, response) -> {
            response.setCharacterEncoding("ISO-8859-1");
            response.getWriter().print("\u00e4");
        });
        pages.put("encoding-unknown", (request, response) -> {
            response.setCharacterEncoding("no-such");
            response.setContentType("text/plain");
            response.getWriter().print("\u00e4");
        });
        pages.put("encoding-late", (request, response) -> {
            response.setContentType("text/plain;charset=ISO-8859-1");
            response.getWriter().print("\u00e4");
            response.setCharacterEncoding("UTF-8");
            response.getWriter().print("\u00e4");
        });
        pages.put("encoding-null", (request, response) -> {
            response.setContentType("text/plain;charset=ISO-8859-1");
            response.setCharacterEncoding((String) null);
            response.getWriter().print("\u00e4");
        });
        pages.put("type-late", (request, response) -> {
            response.getWriter().print("\u00e4");
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter().print("\u00e4");
        });
        pages.put("type-twice", (request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.setContentType("text/html");
            response.getWriter().print("\u00e4");
        });
        pages.put("type-null", (request, response) -> {
            response.setContentType("text/plain");
            response.setContentType(null);
            response.getOutputStream().print("a");
        });
        pages.put("type-null-writer", (request, response) -> {
            response.setContentType("text/plain");
            response.setContentType(null);
            response.getWriter().print("a");
        });
        pages.put("locale", (request, response) -> {
            response.setLocale(Locale.GERMANY);
            response.getWriter().print("\u00e4");
        });
        pages.put("locale-japan", (request, response) -> {
            response.setContentType("text/html");
            response.setLocale(Locale.JAPAN);
            response.getWriter().print("\u00e4");
        });
        pages.put("locale-late", (request, response) -> {
            response.setContentType("text/html;charset=ISO-8859-1");
            response.getWriter().print("\u00e4");
            response.setLocale(Locale.JAPAN);
        });
        pages.put("locale-empty", (request, response) -> response.setLocale(Locale.CANADA_FRENCH));
        pages.put("state", (request, response) -> {
            response.setHeader("X-State", state(response));
            response.getOutputStream().print(state(response));
        });
    }

    private static String state(HttpServletResponse response) {
        return response.getContentType() + "|" + response.getCharacterEncoding() + "|" + response.getStatus() + "|"
                + response.getHeader("Content-Type") + "|" + response.isCommitted() + "|"
                + response.getLocale().toLanguageTag();
    }

    private static void headers(Map<String, Page> pages) {
        List<String> values = List.of(
                "a",
                "",
                " a ",
                "a\tb",
                "\u00e4",
                "\u65e5\u672c",
                "a\r\nX-Injected: 1",
                "a\nb",
                "a\rb",
                "a\u0000b",
                "a\u007fb",
                "\u0080",
                "=?utf-8?q?a?=",
                "x".repeat(5000));
        for (String value : values) {
            pages.put("header-" + values.indexOf(value), (request, response) -> {
                response.setHeader("X-Value", value);
                response.addHeader("X-More", "1");
                response.addHeader("X-More", value);
                response.getOutputStream().print("a");
            });
        }
        List<String> names = List.of(
                "x-lower",
                "X:Colon",
                "X Space",
                "",
                "X-\u00e4",
                "Server",
                "Content-Language",
                "Content-Encoding",
                "ETag",
                "Vary",
                "Date",
                "Expires",
                "Cache-Control",
                "Content-MD5",
                "Age",
                "Link",
                "X-Content-Type-Options");
        for (String name : names) {
            pages.put("name-" + names.indexOf(name), (request, response) -> {
                response.addHeader(name, "a");
                response.addHeader(name, "b");
                response.getOutputStream().print("a");
            });
        }
        pages.put("header-null", (request, response) -> {
            response.setHeader("X-Gone", "a");
            response.setHeader("X-Gone", null);
            response.addHeader("X-Gone", null);
        });
        pages.put("header-numbers", (request, response) -> {
            response.setIntHeader("X-Int", -1);
            response.addIntHeader("X-Int", 2);
            response.setDateHeader("X-Date", 0);
            response.addDateHeader("X-Date", -1);
            response.setDateHeader("Last-Modified", 1_000);
        });
    }

    private static void flows(Map<String, Page> pages) {
        pages.put("nothing", (request, response) -> {});
        pages.put("stream-close-then-write", (request, response) -> {
            response.getOutputStream().print("a");
            response.getOutputStream().close();
            response.getOutputStream().print("b");
        });
        pages.put("reset", (request, response) -> {
            response.setStatus(404);
            response.setHeader("X-Before", "1");
            response.setContentType("text/csv;charset=ISO-8859-1");
            response.getWriter().print("lost");
            response.reset();
            response.getOutputStream().print("kept");
        });
        pages.put("reset-buffer", (request, response) -> {
            response.setStatus(404);
            response.setHeader("X-Before", "1");
            response.setContentType("text/csv;charset=ISO-8859-1");
            response.getWriter().print("lost");
            response.resetBuffer();
            response.getWriter().print("kept");
        });
        pages.put("both-ways", (request, response) -> {
            response.getWriter().print("a");
            response.getOutputStream().print("b");
        });
        pages.put("buffer-size", (request, response) -> {
            response.setBufferSize(20_000);
            response.getOutputStream().print(response.getBufferSize() + " ");
            response.getOutputStream().write("x".repeat(10_000).getBytes(StandardCharsets.UTF_8));
        });
        pages.put("include", (request, response) -> {
            response.getWriter().print("a");
            request.getRequestDispatcher("/raw/included").include(request, response);
            response.getWriter().print("c");
        });
        pages.put("forward", (request, response) -> {
            response.getWriter().print("lost");
            request.getRequestDispatcher("/raw/included").forward(request, response);
            response.getWriter().print("late");
        });
        pages.put("included", (request, response) -> {
            response.setStatus(201);
            response.setHeader("X-Included", "1");
            response.getWriter().print("b");
        });
    }

    @FunctionalInterface
    private interface Page {
        void answer(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException;
    }

    @RestController
    @RequestMapping("/mvc")
    static class Handlers {

        @PostMapping("/redirect")
        ResponseEntity<Void> redirect() {
            return ResponseEntity.status(302).header("Location", "/a#b").build();
        }

        @PostMapping("/redirect-view")
        RedirectView redirectView() {
            return new RedirectView("/a b#c");
        }

        @PostMapping("/location")
        void location(HttpServletResponse response) throws IOException {
            response.sendRedirect("/orders/1");
        }

        @PostMapping("/created")
        ResponseEntity<String> created() {
            return ResponseEntity.status(201)
                    .header("Location", "/orders/1")
                    .eTag("a")
                    .body("created");
        }

        @PostMapping("/text")
        String text() {
            return "\u00e4";
        }

        @PostMapping("/latin")
        ResponseEntity<String> latin() {
            return ResponseEntity.ok()
                    .contentType(MediaType.parseMediaType("text/plain;charset=iso-8859-1"))
                    .body("\u00e4");
        }

        @PostMapping("/json")
        Map<String, Object> json(@RequestBody(required = false) Map<String, Object> body) {
            return Map.of("a", String.valueOf(body));
        }

        @PostMapping("/long")
        String longer() {
            return "x".repeat(20_000);
        }

        @PostMapping("/none")
        void none() {}

        @PostMapping("/no-content")
        ResponseEntity<String> noContent() {
            return ResponseEntity.status(204).body("four");
        }

        @PostMapping("/reset-content")
        ResponseEntity<String> resetContent() {
            return ResponseEntity.status(205).body("four");
        }

        @PostMapping("/refused")
        void refused() {
            throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, "refused");
        }

        @PostMapping("/teapot")
        ResponseEntity<String> teapot() {
            return ResponseEntity.status(418).body("four");
        }

        @PostMapping("/fails")
        void fails() {
            throw new IllegalStateException("ordered by a test");
        }

        @PostMapping(path = "/unwritable", produces = "image/png")
        Map<String, String> unwritable() {
            return Map.of("a", "b");
        }

        @PostMapping("/headers")
        ResponseEntity<String> headers() {
            return ResponseEntity.ok()
                    .header("X-A", "1", "2")
                    .header("x-a", "3")
                    .varyBy("Accept", "Cookie")
                    .body("a");
        }

        @PostMapping("/param")
        String param(@RequestParam(required = false) String a) {
            return "a is " + a;
        }

        @PostMapping("/map")
        String map(@RequestParam Map<String, String> all) {
            return new TreeMap<>(all).toString();
        }

        @PostMapping("/body")
        String body(@RequestBody(required = false) String body) {
            return "body is " + body;
        }

        @PostMapping("/bytes")
        byte[] bytes(@RequestBody byte[] body) {
            return body;
        }
    }
}
