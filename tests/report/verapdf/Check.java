import java.io.FileInputStream;
import java.util.LinkedHashSet;
import java.util.List;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Prints for each PDF and standard the number of assertions that hold, and the rules that are broken. */
public class Check {
    public static void main(String[] files) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        for (String file : files) {
            for (PDFAFlavour standard : List.of(PDFAFlavour.PDFA_3_A, PDFAFlavour.PDFUA_1)) {
                print(file, standard);
            }
        }
    }

    private static void print(String file, PDFAFlavour standard) throws Exception {
        try (PDFAParser parser = Foundries.defaultInstance().createParser(new FileInputStream(file), standard)) {
            ValidationResult found = Foundries.defaultInstance().createValidator(standard, false).validate(parser);
            LinkedHashSet<String> broken = new LinkedHashSet<>();
            for (TestAssertion one : found.getTestAssertions()) {
                broken.add(one.getRuleId().getClause() + ": " + one.getMessage());
            }
            System.out.println(standard.getId() + " " + found.isCompliant() + " " + found.getTotalAssertions() + " " + broken);
        }
    }
}
