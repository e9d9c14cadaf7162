package io.iocluster.node.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/**
 * One Markdown file. Immutable.
 *
 * @param links its links into the project, relative to the page
 * @param anchors the anchors of its headings, according to GitHub's rule
 */
record MarkdownPage(Path file, List<URI> links, List<String> anchors) {

    private static final Parser PARSER =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();

    static MarkdownPage read(Path file) {
        try {
            Contents contents = new Contents();
            PARSER.parse(Files.readString(file)).accept(contents);
            return new MarkdownPage(file.normalize(), List.copyOf(contents.links), List.copyOf(contents.anchors));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resolves a link to a file or folder. */
    Path target(URI link) {
        return link.getPath().isEmpty()
                ? file
                : file.resolveSibling(link.getPath()).normalize();
    }

    private static final class Contents extends AbstractVisitor {

        private final List<URI> links = new ArrayList<>();
        private final List<String> anchors = new ArrayList<>();

        @Override
        public void visit(Link link) {
            add(link.getDestination());
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            add(image.getDestination());
        }

        @Override
        public void visit(Heading heading) {
            String name = slug(text(heading));
            long before = anchors.stream()
                    .filter(each -> each.matches(name + "(-\\d+)?"))
                    .count();
            anchors.add(before == 0 ? name : name + "-" + before);
            visitChildren(heading);
        }

        private void add(String destination) {
            URI link = URI.create(destination);
            if (!link.isAbsolute()) {
                links.add(link);
            }
        }

        private static String text(Node node) {
            if (node instanceof Text text) {
                return text.getLiteral();
            } else if (node instanceof Code code) {
                return code.getLiteral();
            }
            return Stream.iterate(node.getFirstChild(), child -> child != null, Node::getNext)
                    .map(Contents::text)
                    .reduce("", String::concat);
        }

        private static String slug(String heading) {
            return heading.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
        }
    }
}
