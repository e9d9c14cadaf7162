package io.iocluster.lab.load.report;

import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.node.cli.terminal.PrintableText;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The result of a run as JUnit XML: one test case for the run, for each expectation and for each fault. */
public final class JUnitReport {

    /**
     * A test case.
     *
     * @param failure null if it passed
     */
    private record Case(String name, String failure) {}

    private JUnitReport() {}

    /** Returns the document. */
    public static String xml(RunResult result) {
        List<Case> cases = cases(result);
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuite");
            attribute(xml, "name", "load." + result.name());
            attribute(xml, "tests", Integer.toString(cases.size()));
            attribute(
                    xml,
                    "failures",
                    Long.toString(cases.stream()
                            .filter(each -> each.failure() != null)
                            .count()));
            attribute(xml, "errors", "0");
            attribute(xml, "timestamp", result.startedAt().toString());
            attribute(
                    xml,
                    "time",
                    String.format(
                            Locale.ROOT,
                            "%.3f",
                            Duration.between(result.startedAt(), result.endedAt())
                                            .toMillis()
                                    / 1e3));
            for (Case each : cases) {
                write(xml, result.name(), each);
            }
            xml.writeCharacters("\n");
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException(impossible);
        }
        return text.append("\n").toString();
    }

    private static List<Case> cases(RunResult result) {
        List<Case> cases = new ArrayList<>();
        cases.add(new Case("the run is complete", result.partialReason()));
        for (ExpectationOutcome each : result.expectations()) {
            cases.add(new Case(each.text(), each.state() == State.MET ? null : "actual: " + each.actual()));
        }
        for (FaultMark fault : result.faults()) {
            cases.add(new Case("fault " + fault.name() + " starts and is undone", fault.problem()));
        }
        return cases;
    }

    private static void write(XMLStreamWriter xml, String experiment, Case each) throws XMLStreamException {
        xml.writeCharacters("\n  ");
        xml.writeStartElement("testcase");
        attribute(xml, "classname", "load." + experiment);
        attribute(xml, "name", each.name());
        if (each.failure() != null) {
            xml.writeStartElement("failure");
            attribute(xml, "message", each.failure());
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    /** XML cannot contain control characters, not even escaped. */
    private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, PrintableText.escape(value));
    }
}
