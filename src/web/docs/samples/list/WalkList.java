// Prints each page of the list of manifests in a line. Set BASE_URL and API_KEY first.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

public class WalkList {
  static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");

  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newHttpClient();
    var url = System.getenv("BASE_URL") + "/integration/rest/api/v1/manifest?pageSize=100";
    while (url != null) {
      var request = HttpRequest.newBuilder(URI.create(url))
          .header("X-AUTH-KEY", System.getenv("API_KEY"))
          .build();
      var response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) throw new IllegalStateException(response.body());
      System.out.println(response.body());
      // The header is missing on the last page.
      var next = NEXT.matcher(response.headers().firstValue("Link").orElse(""));
      url = next.find() ? next.group(1) : null;
    }
  }
}
