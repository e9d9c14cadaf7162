package io.iocluster.node.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the links between the pages of this project, not links to other sites. */
class LinksTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");

    private static final String CONSOLE_LINKS = "iocluster-node/src/main/resources/io/iocluster/node/console/docs.js";
    private static final Pattern LINK = Pattern.compile("'([a-z/-]+\\.md#[a-z-]+)'");

    @TempDir
    Path folder;

    @Test
    void noLinkIsDead() throws IOException {
        assertThat(MarkdownPages.below(PROJECT).deadLinks()).isEmpty();
    }

    @Test
    void everyPageIsReachableFromTheReadme() throws IOException {
        assertThat(MarkdownPages.below(PROJECT).notReachedFrom("README.md"))
                .allMatch(page -> page.startsWith(".github"));
    }

    @Test
    void theConsoleLinksToHeadingsThatExist() throws IOException {
        String pages = LINK.matcher(Files.readString(PROJECT.resolve(CONSOLE_LINKS)))
                .results()
                .map(link -> "[a](docs/" + link.group(1) + ")")
                .collect(Collectors.joining(" "));
        assertThat(pages.split(" ")).hasSize(4);
        Path project = folder.resolve("project");
        write("project/README.md", pages);
        for (String page : List.of(
                "operations/health-and-metrics.md", "operations/cluster.md", "operations/tuning.md", "errors.md")) {
            write("project/docs/" + page, headings(PROJECT.resolve("docs").resolve(page)));
        }

        assertThat(MarkdownPages.below(project).deadLinks()).isEmpty();
    }

    private static String headings(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("#"))
                .collect(Collectors.joining("\n\n"));
    }

    @Test
    void aLinkToAMissingFileIsDead() throws IOException {
        write("a.md", "[there](sub/b.md) and [not there](sub/c.md)");
        write("sub/b.md", "[back](../a.md), ![drawn](c.png), [elsewhere](https://example.org/)");

        assertThat(MarkdownPages.below(folder).deadLinks()).containsExactly("a.md -> sub/c.md", "sub/b.md -> c.png");
    }

    @Test
    void aLinkToAMissingHeadingIsDead() throws IOException {
        write(
                "a.md",
                "# What `it` *is*: one, two\n\n## Twice\n\n## Twice\n\n[1](#what-it-is-one-two) [2](#twice-1) [3](#twice-2)");
        write("b.md", "| |\n|---|\n| [1](a.md#twice), [2](a.md#thrice) |");

        assertThat(MarkdownPages.below(folder).deadLinks()).containsExactly("a.md -> #twice-2", "b.md -> a.md#thrice");
    }

    @Test
    void aLinkOutsideTheProjectIsDead() throws IOException {
        Path project = Files.createDirectory(folder.resolve("project"));
        write("other.md", "");
        write("project/a.md", "[out](../other.md)");

        assertThat(MarkdownPages.below(project).deadLinks()).containsExactly("a.md -> ../other.md");
    }

    @Test
    void aPageWithoutLinksToItIsUnreachable() throws IOException {
        write("README.md", "[a](docs/a.md)");
        write("docs/a.md", "[home](../README.md)");
        write("docs/lonely.md", "[home](../README.md)");

        assertThat(MarkdownPages.below(folder).notReachedFrom("README.md")).containsExactly(Path.of("docs/lonely.md"));
    }

    private void write(String page, String text) throws IOException {
        Files.createDirectories(folder.resolve(page).getParent());
        Files.writeString(folder.resolve(page), text);
    }
}
