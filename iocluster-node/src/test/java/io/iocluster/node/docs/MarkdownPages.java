package io.iocluster.node.docs;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All Markdown files of a project and their links. Immutable. */
final class MarkdownPages {

    /** Folders with built, installed or checked-out files. */
    private static final Set<String> SKIPPED_FOLDERS = Set.of("target", ".git", "venv", ".venv", "node_modules");

    private final Path root;
    private final Map<Path, MarkdownPage> pages = new TreeMap<>();

    private MarkdownPages(Path root) {
        this.root = root;
    }

    static MarkdownPages below(Path folder) throws IOException {
        MarkdownPages found = new MarkdownPages(folder.toAbsolutePath().normalize());
        Files.walkFileTree(found.root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                return SKIPPED_FOLDERS.contains(each.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) {
                if (each.toString().endsWith(".md")) {
                    found.pages.put(each, MarkdownPage.read(each));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    /** Returns the dead links, as {@code page -> link}. */
    List<String> deadLinks() {
        return pages.values().stream()
                .flatMap(page -> page.links().stream()
                        .filter(link -> !isAlive(page, link))
                        .map(link -> root.relativize(page.file()) + " -> " + link))
                .toList();
    }

    private boolean isAlive(MarkdownPage page, URI link) {
        Path target = page.target(link);
        if (!target.startsWith(root) || !Files.exists(target)) {
            return false;
        }
        return link.getFragment() == null
                || (pages.containsKey(target) && pages.get(target).anchors().contains(link.getFragment()));
    }

    /** Returns the pages that are not reachable by links from this one, relative to the project. */
    Set<Path> notReachedFrom(String start) {
        Set<Path> left = new TreeSet<>(pages.keySet());
        Deque<Path> next = new ArrayDeque<>(List.of(root.resolve(start)));
        while (!next.isEmpty()) {
            Path each = next.remove();
            if (left.remove(each)) {
                MarkdownPage page = pages.get(each);
                page.links().forEach(link -> next.add(page.target(link)));
            }
        }
        Set<Path> relative = new TreeSet<>();
        left.forEach(each -> relative.add(root.relativize(each)));
        return relative;
    }
}
