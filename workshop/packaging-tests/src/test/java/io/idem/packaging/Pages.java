package io.idem.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All pages of the project, by their files. */
record Pages(Map<Path, Page> byFile) {

    /** The page for coding assistants, whose name and place are agreed upon among projects. */
    static final Path FOR_ASSISTANTS = Pom.ROOT.resolve("llms.txt").normalize();

    /** Returns the files of the pages for users: README.md, llms.txt and those below docs. */
    static List<Path> forUsers() {
        try (Stream<Path> files = Files.walk(Pom.ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(Pom.ROOT.resolve("README.md"), FOR_ASSISTANTS),
                            files.filter(file -> file.toString().endsWith(".md"))
                                    .sorted())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Pages all() throws IOException {
        Map<Path, Page> pages = new TreeMap<>();
        Files.walkFileTree(Pom.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean ours = folder.equals(Pom.ROOT) || (!name.startsWith(".") && !name.equals("target"));
                return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md") || file.normalize().equals(FOR_ASSISTANTS)) {
                    Page page = Page.of(file);
                    pages.put(page.file(), page);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return new Pages(pages);
    }

    Stream<Page> stream() {
        return byFile.values().stream();
    }

    /** Returns the pages below a folder, or the page that this path names. */
    Stream<Page> below(Path folder) {
        return stream().filter(page -> page.file().startsWith(folder));
    }

    /**
     * Returns the pages that links lead to, directly or over other pages; a link to a folder leads to all pages in it.
     */
    Set<Page> reachedFrom(Path start) {
        Set<Page> reached = new HashSet<>();
        Deque<Page> next = new ArrayDeque<>(below(start).toList());
        while (!next.isEmpty()) {
            Page page = next.remove();
            if (reached.add(page)) {
                page.links().stream().map(page::target).flatMap(this::below).forEach(next::add);
            }
        }
        return reached;
    }
}
